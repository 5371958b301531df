import { expect, test } from 'vitest'
import { monthPace } from './month-pace'

test.each([
  ['half of April used half', 500, '2026-04-16T00:00:00Z', 1_000],
  ['February is short', 100, '2026-02-08T00:00:00Z', 400],
  ['the last moment is what was used', 700, '2026-12-31T23:59:59.999Z', 700],
  ['nothing stays nothing', 0, '2026-04-16T00:00:00Z', 0],
  ['the first day says nothing', 500, '2026-04-01T23:59:59Z', null],
])('%s', (_what, used, now, pace) => expect(monthPace(used, new Date(now))).toBe(pace))
