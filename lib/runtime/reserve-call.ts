import { isPriced } from '@/lib/protocol/cost'
import { isEnforcing } from '@/lib/protocol/cost-cap'
import type { ModelRequest } from '@/lib/protocol/model-event'
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
