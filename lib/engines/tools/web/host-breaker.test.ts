import { expect, test } from 'vitest'
import { HostBreaker } from './host-breaker'

test('five failures in a row end requests for a minute, and one more for another', () => {
  let now = 1_000
  const breaker = new HostBreaker(() => now)
  for (let index = 0; index < 4; index++) breaker.failed('a')
  expect(breaker.leftMs('a')).toBe(0)
  breaker.failed('a')
  expect(breaker.leftMs('a')).toBe(60_000)
  expect(breaker.leftMs('b')).toBe(0)
  now += 60_000
  expect(breaker.leftMs('a')).toBe(0)
  breaker.failed('a')
  expect(breaker.leftMs('a')).toBe(60_000)
  breaker.answered('a')
  expect(breaker.leftMs('a')).toBe(0)
})

test('an answer in between begins the count anew, and many hosts are not remembered', () => {
  const breaker = new HostBreaker(() => 0)
  for (let index = 0; index < 8; index++) {
    breaker.failed('a')
    if (index === 3) breaker.answered('a')
  }
  expect(breaker.leftMs('a')).toBe(0)
  breaker.failed('a')
  expect(breaker.leftMs('a')).toBe(60_000)
  for (let index = 0; index < 1_000; index++) breaker.failed(`other ${index}`)
  expect(breaker.leftMs('a')).toBe(0)
})
