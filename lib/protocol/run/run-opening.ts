import type { RunState } from './fold-run'

/** Number of rounds and calls that a page of a run shows at first; a call takes about as long to show as a round. */
export const firstParts = 150

/** A run that ended, of which the last rounds are left out: how many. */
export type RunOpening = { state: RunState; left: number }

/** Returns what the page of a run begins with. A run that goes on has all its rounds, since events follow the last one. */
export function openingOf(state: RunState): RunOpening {
  const shown = state.end === null ? state.rounds.length : roundsWithin(state.rounds, firstParts)
  const left = state.rounds.length - shown
  return left === 0
    ? { state, left }
    : { state: { ...state, rounds: state.rounds.slice(0, shown) }, left }
}

/** Returns how many of the first rounds have so many parts, rounds and calls together; at least one. */
export function roundsWithin(
  rounds: readonly { calls: readonly unknown[] }[],
  parts: number,
): number {
  let count = 0
  let sum = 0
  for (const { calls } of rounds) {
    sum += 1 + calls.length
    if (count > 0 && sum > parts) break
    count += 1
  }
  return count
}
