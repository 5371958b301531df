import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { clockJumps } from './clock-jumps'
import { cronFault, isTimeOf, lastTime, leftOutTime, nextTimes } from './cron'

type Matcher = { nextWakeupTime: (from: Date) => Date; match: (at: Date) => boolean }

/** The library that fires schedules. Its package does not export the part that reads cron expressions. */
const { TimeMatcher }: { TimeMatcher: new (cron: string, timeZone: string) => Matcher } =
  createRequire(import.meta.url)(
    path.resolve('node_modules/@dbos-inc/dbos-sdk/dist/src/scheduler/crontab.js'),
  )

/** Returns the next times at which DBOS fires and that count, and the moments to which its times are moved. */
function firedTimes(cron: string, timeZone: string, from: Date, count: number): string[] {
  const matcher = new TimeMatcher(cron, timeZone)
  const times: string[] = []
  for (let at = from; times.length < count; ) {
    const before = at
    at = matcher.nextWakeupTime(at)
    const jumps = clockJumps(timeZone, before, at)
    times.push(
      ...iso(jumps.map((jump) => jump.at).filter((each) => leftOutTime({ cron, timeZone }, each))),
    )
    if (matcher.match(at) && isTimeOf({ cron, timeZone }, at)) times.push(at.toISOString())
  }
  return times.slice(0, count)
}

const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe']
const crons = [
  '* * * * *',
  '*/15 * * * *',
  '0 7 * * 1-5',
  '30 2 * * *',
  '0 0 1 * *',
  '15 1,13 * * *',
  '0 12 * * SUN',
  '0 12 * * 7',
  '0 12 29 2 *',
  '5 4 * JAN-MAR 0',
  '0 22-23 1,15 * *',
  '10-20/5 3 * * 6',
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
      const next = nextTimes({ cron, timeZone: zone }, from, 5).map((at) => at.toISOString())
      expect(next, `${zone} ${day}`).toEqual(firedTimes(cron, zone, from, next.length))
      expect(next.length, `${zone} ${day}`).toBeGreaterThan(3)
    }
  }
})

const iso = (times: readonly Date[]) => times.map((at) => at.toISOString())

test.each([
  [
    'Europe/Berlin',
    '30 2 * * *',
    '2027-03-27T12:00Z',
    '2027-03-28T01:00Z',
    '02:30',
    '2027-03-29T00:30Z',
  ],
  [
    'America/New_York',
    '30 2 * * *',
    '2027-03-13T12:00Z',
    '2027-03-14T07:00Z',
    '02:30',
    '2027-03-15T06:30Z',
  ],
  // Several left-out times of a night come once, and half an hour is left out there.
  [
    'America/New_York',
    '*/10 2 * * *',
    '2027-03-13T12:00Z',
    '2027-03-14T07:00Z',
    '02:00',
    '2027-03-15T06:00Z',
  ],
  [
    'Australia/Lord_Howe',
    '15 2 * * 0',
    '2027-10-02T12:00Z',
    '2027-10-02T15:30Z',
    '02:15',
    '2027-10-09T15:15Z',
  ],
  [
    'America/Santiago',
    '0 0 * * 0',
    '2026-09-05T12:00Z',
    '2026-09-06T04:00Z',
    '00:00',
    '2026-09-13T03:00Z',
  ],
])(
  'in %s, %s comes right after the change that leaves it out',
  (zone, cron, from, moved, clock, next) => {
    const expected = [new Date(moved), new Date(next)]
    const times = { cron, timeZone: zone }
    expect(iso(nextTimes(times, new Date(from), 2))).toEqual(iso(expected))
    expect(leftOutTime(times, new Date(moved))).toBe(clock)
    expect(leftOutTime(times, new Date(next))).toBeNull()
    expect(isTimeOf(times, new Date(moved))).toBe(true)
    expect(lastTime(times, new Date(next))).toEqual(new Date(moved))
  },
)

test('a time at the moment of the change comes once, and an hourly time is not doubled', () => {
  const from = new Date('2027-03-28T00:45Z')
  const timesOf = (cron: string) =>
    iso(nextTimes({ cron, timeZone: 'Europe/Berlin' }, from, 2)).map((at) => at.slice(11, 16))
  expect(timesOf('0 2-4 * * *')).toEqual(['01:00', '02:00'])
  expect(timesOf('30 2,3 * * *')).toEqual(['01:00', '01:30'])
  expect(timesOf('30 * * * *')).toEqual(['01:30', '02:30'])
  expect(
    leftOutTime({ cron: '0 2-4 * * *', timeZone: 'Europe/Berlin' }, new Date('2027-03-28T01:00Z')),
  ).toBeNull()
})

test('a time that winter time repeats comes once', () => {
  const times = nextTimes(
    { cron: '30 2 * * *', timeZone: 'Europe/Berlin' },
    new Date('2027-10-30T12:00Z'),
    2,
  )
  expect(iso(times)).toEqual(['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'])
})

test('every change to summer time is at a quarter of an hour, when the engine looks', () => {
  const [from, to] = [new Date('2026-01-01'), new Date('2031-01-01')]
  const jumps = Intl.supportedValuesOf('timeZone').flatMap((zone) => clockJumps(zone, from, to))
  expect(jumps.length).toBeGreaterThan(100)
  expect(jumps.filter(({ at }) => at.getTime() % 900_000 !== 0)).toEqual([])
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
