import type { RoundView } from './round-view'
import type { EndReason } from './run-event'

/** Ends that refuse a run: with no model request made, the run was not started. */
const refusing: ReadonlySet<EndReason> = new Set([
  'budget',
  'cost-cap',
  'frozen',
  'revoked',
  'context',
])

/** Whether a run that ended so was refused before its first of `rounds` rounds. */
export function isNotStarted(reason: EndReason, rounds: number): boolean {
  return rounds === 0 && refusing.has(reason)
}

/** Whether any round brought something to read: without it there is no answer that could be cut. */
export function hasAnswer({ rounds }: { rounds: readonly RoundView[] }): boolean {
  return rounds.some(({ response, text }) => response !== null || text !== '')
}
