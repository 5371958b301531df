import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { siteClock } from './run-clock'

const databaseMs = 1_700_000_000_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Returns a clock that was just set, and the moment of that. */
function openClock() {
  const askedAt = performance.now()
  return { clock: siteClock({ databaseMs, askedAt }), askedAt }
}

test('an answer of the database that comes a minute late does not set the clock back', () => {
  const { clock, askedAt } = openClock()
  vi.advanceTimersByTime(60_000)
  clock.set({ databaseMs, askedAt })
  expect(clock.now()).toBe(databaseMs + 60_000)
})

test('an answer to a question that waited a minute does not set the clock ahead', () => {
  const { clock, askedAt } = openClock()
  vi.advanceTimersByTime(60_000)
  clock.set({ databaseMs: databaseMs + 60_000, askedAt })
  expect(clock.now()).toBe(databaseMs + 60_000)
})

test.each([3_600_000, -3_600_000])(
  'the clock follows that of the database when it jumps by %i ms',
  (jumpMs) => {
    const { clock } = openClock()
    vi.advanceTimersByTime(1_000)
    clock.set({ databaseMs: databaseMs + 1_000 + jumpMs, askedAt: performance.now() })
    vi.advanceTimersByTime(500)
    expect(clock.now()).toBe(databaseMs + 1_500 + jumpMs)
  },
)

test('the first reading counts from the middle of question and answer', () => {
  const askedAt = performance.now()
  vi.advanceTimersByTime(2_000)
  expect(siteClock({ databaseMs, askedAt }).now()).toBe(databaseMs + 1_000)
})
