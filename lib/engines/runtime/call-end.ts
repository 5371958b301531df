import type { Denial, Outcome, Verdict } from '@/lib/protocol/outcome'
import type { CallView } from '@/lib/protocol/round-view'
import { type RunStep, record } from './run-step'

/** How a call ended, and the decision of the gates before. */
export type CallEnding = { verdict: Verdict; outcome: Outcome }

/** Records the end of a call that was started or checked at `startedAt`. */
export function recordCallEnd(
  step: RunStep,
  { round, callId, name }: CallView,
  ending: CallEnding,
  startedAt: number,
): void {
  const durationMs = Math.max(0, step.deps.now() - startedAt)
  record(step, { type: 'call-end', data: { round, callId, name, ...ending, durationMs } })
}

/** Returns the end of a call that a gate or a limit refused. */
export function denied({ gate, reason }: Omit<Denial, 'allowed'>): CallEnding {
  return { verdict: { allowed: false, gate, reason }, outcome: { type: 'denied', gate, reason } }
}
