import type { InputReport } from '@/lib/engines/runtime/ask/fit-context'
import { type Reservation, reportIncident, type WorstCase } from '@/lib/engines/runtime/deps'
import { endRun, type RunStep, stoppedBefore } from '@/lib/engines/runtime/run-step'
import { isPriced } from '@/lib/protocol/cost/cost'
import { isEnforcing } from '@/lib/protocol/cost/cost-caps'
import type { MayResend, ModelRequest } from '@/lib/protocol/model/message'
import { noPriceWords } from '@/lib/protocol/model/model-families'
import { hasClaudeLimits } from '@/lib/protocol/model/model-ids'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { Verdict } from '@/lib/protocol/tool'
import { inputBound, worstOutputTokens } from './worst-case'

/** `worst` null = no budget needed the worst case of the call. */
export type Held = Extract<Reservation, { type: 'held' }> & { worst: WorstCase | null }

type Planned = { request: ModelRequest; contextTokens: number; report: InputReport | null }

/**
 * Reserves the worst case of asking this target in every budget that applies (SPEC M2, R5). Null when the call must not
 * be made: the run has ended, or was stopped.
 */
export async function reserveCall(
  step: RunStep,
  { target, index, plan }: { target: ModelTarget; index: number; plan: Planned },
): Promise<Held | null> {
  const state = step.state()
  if (isEnforcing(state) && !isPriced(target.prices)) {
    endRun(step, { reason: 'cost-cap', message: unwatchable(target) })
    return null
  }
  let worst: WorstCase | null = null
  const ask = async () => {
    const { request, contextTokens } = plan
    worst ??= {
      inputTokens: await inputBound(state, { target, index, ...plan }),
      outputTokens: worstOutputTokens(target, request.parameters, contextTokens),
    }
    return worst
  }
  const reservation = await step.deps.reserve({ target, worst: ask }, step.signal)
  switch (reservation.type) {
    case 'held':
      return { ...reservation, worst }
    case 'refused':
      endRun(step, {
        reason: reservation.hasNoPrice ? 'no-price' : 'budget',
        message: reservation.reason,
      })
      return null
    case 'stopped':
      return null
    default:
      return reservation satisfies never
  }
}

/**
 * Returns the request limited to its reservation. Where neither configuration nor model limits the answer, or the
 * window leaves less room than the model can write, the request gets that limit, so that no single call exceeds a
 * budget (SPEC M2). Requests to Claude always have a limit.
 */
export function withinReservation(
  request: ModelRequest,
  target: ModelTarget,
  held: Pick<Held, 'reservationId' | 'worst'>,
): ModelRequest {
  const { parameters } = request
  if (held.reservationId === null || !held.worst) return request
  const isLimited =
    parameters.maxOutputTokens !== null ||
    (target.maxOutputTokens !== null && target.maxOutputTokens <= held.worst.outputTokens) ||
    hasClaudeLimits(target)
  if (isLimited) return request
  return { ...request, parameters: { ...parameters, maxOutputTokens: held.worst.outputTokens } }
}

/**
 * Returns what an adapter calls before it repeats a request, and its result: `refusal` is why a budget refused, null =
 * none did. A change of key is recorded before anything is sent with the next one.
 */
export function openResends(
  step: RunStep,
  { round, target, held }: { round: number; target: ModelTarget; held: Held },
): { mayResend: MayResend; refusal: () => string | null } {
  const { reservationId } = held
  let refusal: string | null = null
  let fault: { error: unknown } | null = null
  const isHeld = async () => {
    if (reservationId === null) return !step.signal.aborted
    const more = await step.deps.reserveResend({ reservationId, target }, step.signal)
    if (more.type === 'refused') refusal = more.reason
    return more.type === 'held' && !step.signal.aborted
  }
  return {
    mayResend: async (change) => {
      try {
        if (!(await isHeld())) return false
        if (change) step.record({ type: 'key-change', data: { round, ...change } })
        return true
      } catch (error) {
        // Adapters treat an exception as a fault of the provider.
        fault = { error }
        return false
      }
    },
    refusal: () => {
      if (fault) throw fault.error
      return refusal
    },
  }
}

function unwatchable(target: ModelTarget): string {
  const { fault, cure } = noPriceWords(target)
  return `No request was sent to ${target.modelId}: it ${fault}, so the cost cap of this run cannot be checked. Either ${cure}, or set the cap to warn only.`
}

/** Releases the reservation of a call without a result. If that fails now, it is released when the run has ended. */
export async function releaseCall(step: RunStep, { reservationId }: Held): Promise<void> {
  if (reservationId === null) return
  try {
    await step.deps.release(reservationId)
  } catch (error) {
    reportIncident(step.deps, error)
  }
}

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
async function beginRequest(
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

/** Starts a request. Releases its reservation when it was not started, also when the journal is lost (SPEC M2). */
export async function beginHeld(
  step: RunStep,
  held: Held,
  start: RunEventOf<'round-start' | 'request-start'>,
): Promise<BegunRequest> {
  let begun: BegunRequest = { type: 'stopped' }
  try {
    begun = await beginRequest(step, start)
  } finally {
    if (begun.type !== 'begun') await releaseCall(step, held)
  }
  return begun
}
