import { isPriced } from '@/lib/protocol/cost'
import { isEnforcing } from '@/lib/protocol/cost-cap'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { Reservation } from './deps'
import { endRun } from './end-run'
import { reportIncident } from './report-incident'
import { type RunStep, record, settle, startOf } from './run-step'
import { worstOutputTokens } from './worst-output'

type Held = Extract<Reservation, { type: 'held' }>

/**
 * Holds the worst case of asking this target in every budget that applies (SPEC M2, R5). Null when the call is not to
 * be made: the run has ended, or was told to stop.
 */
export async function reserveCall(
  step: RunStep,
  target: ModelTarget,
  contextTokens: number,
): Promise<Held | null> {
  const state = settle(step)
  if (isEnforcing(state) && !isPriced(target.prices)) {
    endRun(step, { reason: 'cost-cap', message: unwatchable(target) })
    return null
  }
  const { parameters } = startOf(state).snapshot
  const outputTokens = worstOutputTokens(target, parameters, contextTokens)
  const call = { target, inputTokens: contextTokens, outputTokens }
  const reservation = await step.deps.reserve(call, step.signal)
  switch (reservation.type) {
    case 'held':
      return reservation
    case 'refused':
      endRun(step, { reason: 'budget', message: reservation.reason })
      return null
    case 'stopped':
      return null
    default:
      return reservation satisfies never
  }
}

function unwatchable({ modelId }: ModelTarget): string {
  return `${modelId} was not asked: its price is not known, so the cost cap that is enforced for this run cannot be watched. Give it a price under Models, or let the cap only warn.`
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
