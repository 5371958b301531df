import { expect, test } from 'vitest'
import { stepsOf, usageWindow, windowBefore } from './usage-window'

const now = new Date('2026-03-01T10:30:00.000Z')

test.each([
  ['24h', '2026-02-28T11:00:00.000Z', 24],
  ['7d', '2026-02-23T00:00:00.000Z', 7],
  ['30d', '2026-01-31T00:00:00.000Z', 30],
  ['90d', '2025-12-02T00:00:00.000Z', 90],
  ['12m', '2025-04-01T00:00:00.000Z', 12],
] as const)('%s begins at a whole step', (period, from, count) => {
  const window = usageWindow(period, now)
  expect(window.from.toISOString()).toBe(from)
  expect(window.to).toBe(now)
  expect(stepsOf(window)).toHaveLength(count)
})

test('what it is compared with is as long, and ends where it begins', () => {
  const window = usageWindow('7d', now)
  const before = windowBefore(window)
  expect(before.to).toEqual(window.from)
  expect(before.to.getTime() - before.from.getTime()).toBe(now.getTime() - window.from.getTime())
})

test('months are stepped through by the calendar', () => {
  const steps = stepsOf(usageWindow('12m', now)).map((at) => at.toISOString().slice(0, 10))
  expect(steps.slice(-3)).toEqual(['2026-01-01', '2026-02-01', '2026-03-01'])
})
