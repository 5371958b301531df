import type { RunState } from '@/lib/protocol/run/fold-run'
import type { CallView } from '@/lib/protocol/run/round-view'
import type { GateName, Outcome } from '@/lib/protocol/tool'

/** End of a call: an outcome, or that it has none. */
export type Ending = Outcome['type'] | 'no-recording' | 'not-ended'
export type EndedCall = CallView & { ending: Ending }

/** Completes "A call of fetch_logs …" in the past. */
export const endingWords: Record<Ending, string> = {
  ok: 'succeeded',
  failed: 'failed',
  denied: 'was denied',
  'invalid-arguments': 'had arguments that do not fit',
  'timed-out': 'timed out',
  cancelled: 'was cancelled',
  unknown: 'had an unknown outcome',
  'no-recording': 'had no recording',
  'not-ended': 'did not end',
}

/** Returns all calls that the models of a run asked for, in order, with their ends. */
export function endedCalls({ rounds, copied }: Pick<RunState, 'rounds' | 'copied'>): EndedCall[] {
  const isRecorded = copied !== null
  return rounds.flatMap(({ calls }) =>
    calls.map((call) => ({ ...call, ending: endingOf(call, isRecorded) })),
  )
}

/** A recording of a call without a result fails with its outcome as the code. */
const recordedCodes: readonly Ending[] = ['timed-out', 'cancelled', 'unknown', 'no-recording']

function endingOf({ state }: CallView, isRecorded: boolean): Ending {
  if (state.type !== 'ended') return 'not-ended'
  const { outcome } = state
  if (outcome.type !== 'failed' || !isRecorded) return outcome.type
  return recordedCodes.find((code) => code === outcome.code) ?? outcome.type
}

/** Returns the gate that denied a call; null: none did. */
export function refusedBy({ state }: CallView): GateName | null {
  const outcome = state.type === 'ended' ? state.outcome : null
  return outcome?.type === 'denied' ? outcome.gate : null
}
