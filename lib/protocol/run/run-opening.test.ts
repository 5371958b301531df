import { expect, it } from 'vitest'
import { call, end, message, roundStart, start, stateOf } from '@/tests/support/trace-events'
import { firstParts, openingOf, roundsWithin } from './run-opening'

/** Returns a run of so many rounds with so many calls each. */
function runOf(rounds: number, calls: number, ...last: (typeof end)[]) {
  const numbers = Array.from({ length: rounds }, (_, index) => index + 1)
  const toolCalls = Array.from({ length: calls }, () => call('fetch_logs'))
  return stateOf(
    start,
    ...numbers.flatMap((round) => [roundStart(round), message(round, { toolCalls })]),
    ...last,
  )
}

it('opens a long run with its first rounds, and leaves its totals as they are', () => {
  const whole = runOf(40, 9, end)
  const { state, left } = openingOf(whole)
  expect(state.rounds).toEqual(whole.rounds.slice(0, firstParts / 10))
  expect(left).toBe(40 - firstParts / 10)
  expect({ ...state, rounds: [] }).toEqual({ ...whole, rounds: [] })
})

it('opens a short run, and one that goes on, with all of it', () => {
  for (const whole of [runOf(10, 3, end), runOf(200, 9)])
    expect(openingOf(whole)).toEqual({ state: whole, left: 0 })
})

it('opens with one round, however many calls it has', () => {
  expect(roundsWithin([{ calls: Array(1_000).fill(0) }, { calls: [] }], firstParts)).toBe(1)
  expect(roundsWithin([], firstParts)).toBe(0)
})
