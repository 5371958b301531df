import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cronFault, isTimeOf, lastTime, nextTimes } from './cron'

type Matcher = { nextWakeupTime: (from: Date) => Date; match: (at: Date) => boolean }

/** What fires schedules. Its package does not export the part that reads cron expressions. */
const { TimeMatcher }: { TimeMatcher: new (cron: string, timeZone: string) => Matcher } =
  createRequire(import.meta.url)(
    path.resolve('node_modules/@dbos-inc/dbos-sdk/dist/src/scheduler/crontab.js'),
  )

/** Returns the next times at which DBOS fires and that count. */
function firedTimes(cron: string, timeZone: string, from: Date, count: number): string[] {
  const matcher = new TimeMatcher(cron, timeZone)
  const times: string[] = []
  for (let at = from; times.length < count; ) {
    at = matcher.nextWakeupTime(at)
    if (matcher.match(at) && isTimeOf(cron, timeZone, at)) times.push(at.toISOString())
  }
  return times
}

const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe']
const crons = [
  ...['* * * * *', '*/15 * * * *', '0 7 * * 1-5', '30 2 * * *', '0 0 1 * *', '15 1,13 * * *'],
  ...[
    '0 12 * * SUN',
    '0 12 * * 7',
    '0 12 29 2 *',
    '5 4 * JAN-MAR 0',
    '0 22-23 1,15 * *',
    '10-20/5 3 * * 6',
  ],
]

test.each(crons)('the next times of %s are those at which it is fired', (cron) => {
  expect(cronFault(cron)).toBeNull()
  for (const zone of zones) {
    for (const day of [
      '2027-03-13T22:00',
      '2027-03-27T20:00',
      '2027-10-30T20:00',
      '2026-12-31T23:59',
    ]) {
      const from = new Date(`${day}:00Z`)
      const told = nextTimes(cron, zone, from, 5).map((at) => at.toISOString())
      expect(told, `${zone} ${day}`).toEqual(firedTimes(cron, zone, from, told.length))
      expect(told.length, `${zone} ${day}`).toBeGreaterThan(3)
    }
  }
})

test('what summer time leaves out does not come, and what winter time repeats comes once', () => {
  const from = (text: string) => new Date(text)
  const days = (text: string) =>
    nextTimes('30 2 * * *', 'Europe/Berlin', from(text), 2).map((at) => at.toISOString())
  expect(days('2027-03-27T12:00:00Z')).toEqual([
    '2027-03-29T00:30:00.000Z',
    '2027-03-30T00:30:00.000Z',
  ])
  expect(days('2027-10-30T12:00:00Z')).toEqual([
    '2027-10-31T00:30:00.000Z',
    '2027-11-01T01:30:00.000Z',
  ])
  expect(lastTime('30 2 * * *', 'Europe/Berlin', from('2027-03-28T12:00:00Z'))?.toISOString()).toBe(
    '2027-03-27T01:30:00.000Z',
  )
})

test.each([
  ['', 'Give five fields'],
  ['0 7 * *', 'Give five fields'],
  ['0 0 7 * * 1', 'Give five fields'],
  ['@daily', 'Give five fields'],
  ['0 7 L * *', 'cannot have'],
  ['60 * * * *', 'cannot have'],
  ['a * * * *', 'cannot have'],
  ['5/10 * * * *', 'cannot have'],
  ['*/0 * * * *', 'cannot have'],
  ['0 12 * * 8', 'cannot have'],
  ['0 12 * foo *', 'cannot have'],
  ['0 7 1 * 1', 'not both'],
  ['0 0 31 2 *', 'never comes'],
])('%j is refused', (cron, sentence) => {
  expect(cronFault(cron)).toContain(sentence)
})
