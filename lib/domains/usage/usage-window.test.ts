import { expect, test } from 'vitest'
import { stepsOf, usageWindow, windowBefore } from './usage-window'

const now = new Date('2026-03-01T10:30:00.000Z')

test.each([
  ['24h', '2026-02-28T11:00:00.000Z', 24],
  ['7d', '2026-02-23T00:00:00.000Z', 7],
  ['this-month', '2026-03-01T00:00:00.000Z', 1],
  ['30d', '2026-01-31T00:00:00.000Z', 30],
  ['90d', '2025-12-02T00:00:00.000Z', 90],
  ['12m', '2025-04-01T00:00:00.000Z', 12],
] as const)('%s begins at a whole step', (period, from, count) => {
  const window = usageWindow(period, now)
  expect(window.from.toISOString()).toBe(from)
  expect(window.to).toBe(now)
  expect(stepsOf(window)).toHaveLength(count)
})

test('the period to compare with is as long and ends where this one begins', () => {
  const window = usageWindow('7d', now)
  const before = windowBefore('7d', window)
  expect(before.to).toEqual(window.from)
  expect(before.to.getTime() - before.from.getTime()).toBe(now.getTime() - window.from.getTime())
})

test.each([
  ['2026-03-01T10:30:00.000Z', ['2026-02-01', '2026-03-01'], 28, '2026-01-01', '2026-02-01'],
  ['2026-01-31T00:00:00.000Z', ['2025-12-01', '2026-01-01'], 31, '2025-11-01', '2025-12-01'],
])(
  'seen on %s, last month is all of its days, beside the month before',
  (at, own, count, ...before) => {
    const window = usageWindow('last-month', new Date(at))
    expect(datesOf(window)).toEqual(own)
    expect(stepsOf(window)).toHaveLength(count)
    expect(datesOf(windowBefore('last-month', window))).toEqual(before)
  },
)

test.each([
  ['2026-11-25T12:00:00.000Z', '2026-10-25T12:00:00.000Z'],
  // The month before has no such day.
  ['2026-03-31T12:00:00.000Z', '2026-03-01T00:00:00.000Z'],
])('this month until %s is compared with the same days of the previous one', (at, until) => {
  const window = usageWindow('this-month', new Date(at))
  expect(windowBefore('this-month', window).to.toISOString()).toBe(until)
})

function datesOf({ from, to }: { from: Date; to: Date }): string[] {
  return [from, to].map((at) => at.toISOString().slice(0, 10))
}

test('months are stepped through by the calendar', () => {
  const steps = stepsOf(usageWindow('12m', now)).map((at) => at.toISOString().slice(0, 10))
  expect(steps.slice(-3)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01'])
})
