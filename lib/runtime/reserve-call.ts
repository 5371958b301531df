import { isPriced } from '@/lib/protocol/cost'
import { isEnforcing } from '@/lib/protocol/cost-cap'
import type { MayResend, ModelRequest } from '@/lib/protocol/model-event'
import { hasClaudeLimits } from '@/lib/protocol/model-families'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { noPriceWords } from '@/lib/protocol/service-tier'
import type { Reservation, WorstCase } from './deps'
import { endRun } from './end-run'
import { inputBound } from './input-bound'
import type { InputReport } from './input-report'
import { reportIncident } from './report-incident'
import { type RunStep, record, settle } from './run-step'
import { worstOutputTokens } from './worst-output'

/** `worst` null = no budget asked for the most that the call can use. */
export type Held = Extract<Reservation, { type: 'held' }> & { worst: WorstCase | null }

type Planned = { request: ModelRequest; contextTokens: number; report: InputReport | null }

/**
 * Holds the worst case of asking this target in every budget that applies (SPEC M2, R5). Null when the call is not to
 * be made: the run has ended, or was told to stop.
 */
export async function reserveCall(
  step: RunStep,
  { target, index, plan }: { target: ModelTarget; index: number; plan: Planned },
): Promise<Held | null> {
  const state = settle(step)
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
      endRun(step, { reason: 'budget', message: reservation.reason })
      return null
    case 'stopped':
      return null
    default:
      return reservation satisfies never
  }
}

/**
 * The request as a budget allows it: where neither configuration nor model says how long an answer may be, or the window
 * was taken to leave less room than the model can write, it is told to stay within what was held for it, so that no one call
 * passes a budget (SPEC M2). Requests to Claude always have a limit.
 */
export function withinReservation(
  request: ModelRequest,
  target: ModelTarget,
  held: Held,
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
 * How an adapter asks before it makes the request of one try again, and what came of it: `refusal` is why a budget did not
 * let it, null = none refused. A change of key is recorded before anything is sent with the next one.
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
        if (change) record(step, { type: 'key-change', data: { round, ...change } })
        return true
      } catch (error) {
        // Adapters take what is thrown for a fault of the provider.
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

/** A call that brought nothing used nothing. What cannot be given back now is given back when the run has ended. */
export async function releaseCall(step: RunStep, { reservationId }: Held): Promise<void> {
  if (reservationId === null) return
  try {
    await step.deps.release(reservationId)
  } catch (error) {
    reportIncident(step.deps, error)
  }
}

/** Says once a run that a budget lets this model pass without counting its money. */
export function warnUncounted(step: RunStep, round: number, message: string): void {
  const said = settle(step).rounds.some(({ notes }) =>
    notes.some(({ type, data }) => type === 'warning' && data.message === message),
  )
  if (said) return
  record(step, {
    type: 'warning',
    data: { round, code: 'budget-uncounted', message, tellModel: false, prunedThrough: null },
  })
}
