import { addCost } from '@/lib/protocol/cost'
import type { ProviderFailure } from '@/lib/protocol/failure'
import type { RunState } from '@/lib/protocol/fold-run'
import { hasAnswer, isNotStarted } from '@/lib/protocol/not-started'
import type { Outcome, Verdict } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import type { EndReason, FailedCall } from '@/lib/protocol/run-event'
import { structuredAnswer } from '@/lib/protocol/structured-answer'
import { addUsage, emptyUsage } from '@/lib/protocol/usage'
import { type RunStep, recordCallEnd } from './run-step'

export type RunEnding = {
  reason: EndReason
  message: string
  failure?: ProviderFailure
  failedCall?: FailedCall | null
}

/** Reasons after which there is an answer that may be incomplete. */
const truncatedBy: ReadonlySet<EndReason> = new Set([
  'max-rounds',
  'budget',
  'cost-cap',
  'length',
  'loop',
  'context',
  'time-limit',
])

/** Records `run-end` unless the journal has one, and closes calls that will not run any more (SPEC R16). */
export function endRun(step: RunStep, ending: RunEnding): void {
  const { reason, message, failure, failedCall } = ending
  const used = failedCall?.used
  const state = step.state()
  if (state.end) return
  const notStarted = isNotStarted(reason, state.rounds.length)
  const last = state.rounds.at(-1)
  // An answer without issues is valid JSON.
  const fits = last?.response && last.outputErrors?.length === 0
  for (const call of last?.calls ?? []) closeCall(step, call, message)
  step.record({
    type: 'run-end',
    data: {
      reason,
      truncated: truncatedBy.has(reason) && hasAnswer(state),
      ...(notStarted && { notStarted }),
      message,
      failure: failure ?? null,
      ...(failedCall && { failedCall }),
      ...(fits && { structured: structuredAnswer(last.text) }),
      usage: addUsage(state.usage, used?.usage ?? emptyUsage),
      costMicroUsd: used ? addCost(state.costMicroUsd, used.costMicroUsd) : state.costMicroUsd,
      wallTimeMs: wallTimeMs(state, step.deps.now()),
    },
  })
}

/** Ends a call that will not run. One that was started may have had its effect; one that was not has not. */
function closeCall(step: RunStep, call: CallView, message: string): void {
  const { state } = call
  if (state.type === 'ended') return
  if (state.type === 'running') {
    const reason = 'The run ended while this call was in progress. It may have taken effect.'
    const outcome: Outcome = { type: state.effect === 'read' ? 'cancelled' : 'unknown', reason }
    recordCallEnd(step, call, { verdict: { allowed: true }, outcome }, state.startedAt)
    return
  }
  const reason = `Not run. ${message}`
  const verdict: Verdict = { allowed: false, gate: 'run-ended', reason }
  recordCallEnd(step, call, { verdict, outcome: { type: 'cancelled', reason } }, step.deps.now())
}

function wallTimeMs(state: RunState, now: number): number {
  return state.startedAt === null ? 0 : Math.max(0, now - state.startedAt)
}
