import type { Verdict } from '@/lib/protocol/outcome'
import type { RunEventOf } from '@/lib/protocol/run-event'
import { type RunStep, stoppedBefore } from './run-step'

/**
 * `begun` = the request may be sent, and its start is durable. `stopped` = the step was stopped. `closed` = this model
 * of the chain, or its connection, was disabled or deleted; `reason` is a sentence for people.
 */
export type BegunRequest =
  | { type: 'begun' }
  | { type: 'stopped' }
  | { type: 'closed'; reason: string }

const allowed: Verdict = { allowed: true }
/**
 * Reads the run's rights and makes the start of a model request durable in the same transaction, so that nothing is
 * sent after a right was revoked or the site was frozen (SPEC G-R). Stops the step when the whole run must not
 * continue.
 */
export async function beginRequest(
  step: RunStep,
  start: RunEventOf<'round-start' | 'request-start'>,
): Promise<BegunRequest> {
  let closed: string | null = null
  const { event } = await step.begin(start, ({ frozen, revoked }) => {
    if (frozen) step.stop({ type: 'frozen', ...frozen })
    if (revoked.run !== null) step.stop({ type: 'revoked', reason: revoked.run })
    closed = revoked.targets[start.data.target] ?? null
    return step.signal.aborted || closed !== null ? stoppedBefore : allowed
  })
  if (event) return { type: 'begun' }
  if (closed === null || step.signal.aborted) return { type: 'stopped' }
  return { type: 'closed', reason: closed }
}
