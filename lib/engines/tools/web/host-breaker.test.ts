import { expect, test } from 'vitest'
import { HostBreaker } from './host-breaker'

const ada = { person: 'ada', place: null }
const kim = { person: 'kim', place: null }

test('five failed connections in a row end requests for a minute, and one more for another', () => {
  let now = 1_000
  const breaker = new HostBreaker(() => now)
  for (let index = 0; index < 4; index++) breaker.failed('a', ada)
  expect(breaker.leftMs('a', 'kim')).toBe(0)
  breaker.failed('a', ada)
  expect(breaker.leftMs('a', 'kim')).toBe(60_000)
  expect(breaker.leftMs('b', 'kim')).toBe(0)
  now += 60_000
  expect(breaker.leftMs('a', 'kim')).toBe(0)
  breaker.failed('a', kim)
  expect(breaker.leftMs('a', 'ada')).toBe(60_000)
  breaker.answered('a', 'kim')
  expect(breaker.leftMs('a', 'kim')).toBe(0)
})

test('an answer in between begins the count anew, and many hosts are not remembered', () => {
  const breaker = new HostBreaker(() => 0)
  for (let index = 0; index < 8; index++) {
    breaker.failed('a', ada)
    if (index === 3) breaker.answered('a', 'ada')
  }
  expect(breaker.leftMs('a', 'ada')).toBe(0)
  breaker.failed('a', ada)
  expect(breaker.leftMs('a', 'ada')).toBe(60_000)
  for (let index = 0; index < 1_000; index++) breaker.failed(`other ${index}`, ada)
  expect(breaker.leftMs('a', 'ada')).toBe(0)
})

test('places that fail close a host to the person who asks for them alone, however many they are', () => {
  const breaker = new HostBreaker(() => 0)
  for (let index = 0; index < 20; index++)
    breaker.failed('a', { person: 'ada', place: `/${index}` })
  expect(breaker.leftMs('a', 'ada')).toBe(60_000)
  expect(breaker.leftMs('a', 'kim')).toBe(0)
  breaker.answered('a', 'ada')
  expect(breaker.leftMs('a', 'ada')).toBe(0)
})

test('several places that fail for several people close a host to everybody', () => {
  const breaker = new HostBreaker(() => 0)
  const fail = (person: string, place: string) => breaker.failed('a', { person, place })
  for (const place of ['/1', '/1', '/1']) fail('ada', place)
  for (const place of ['/1', '/2', '/2']) fail('kim', place)
  expect(breaker.leftMs('a', 'lee')).toBe(0)
  fail('kim', '/3')
  expect(breaker.leftMs('a', 'lee')).toBe(60_000)
})
