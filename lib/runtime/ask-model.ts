import { costMicroUsd } from '@/lib/protocol/cost'
import type { FailureCause, ProviderFailure } from '@/lib/protocol/failure'
import { type ModelRequest, offeredIn } from '@/lib/protocol/model-event'
import type { EndReason, FailedCall, RunEventOf } from '@/lib/protocol/run-event'
import { emptyUsage } from '@/lib/protocol/usage'
import { type BegunRequest, beginRequest } from './begin-request'
import { warnOfCostCaps } from './cost-cap-warnings'
import { endRun } from './end-run'
import { failedForGood, fallBack, fallbackAfter } from './fall-back'
import type { InputReport } from './input-report'
import { recordFruitless } from './lost-request'
import { recordMessage } from './record-message'
import { type Held, openResends, releaseCall, reserveCall, withinReservation } from './reserve-call'
import { isSent, retryDelayMs } from './retry-delay'
import { type RunStep, record, settle, targetAt } from './run-step'
import { type Reply, streamReply } from './stream-reply'
import { type SentRequest, usageOf, usageOfSilence } from './usage-of'
import { isHandover } from './watch-stop'

/** Which model of the chain is asked next, and which try of it that is. */
export type Place = { target: number; attempt: number }

/** A request that was begun, how it was planned, and what budgets hold for it. */
export type BegunCall = Place & {
  round: number
  plan: { request: ModelRequest; contextTokens: number; report: InputReport | null }
  held: Held
}

/**
 * Sends a request that was begun, again where that may help, and records what came of it. Returns the model that is asked
 * next, by a request of its own; null = the turn is over: with an answer, with the run's end, or because the step was
 * stopped (SPEC R15, M5).
 */
export async function askModel(step: RunStep, call: BegunCall): Promise<Place | null> {
  const last = await tryModel(step, call)
  if (!last) return null
  const { reply, sent, held, refusal } = last
  const { failure, finish } = reply
  const next = failure && refusal === null && nextPlace(step, call, last, failure)
  if (next) return goOn(step, next, failure, await failedTry(step, call, last))
  const { round, target } = call
  if (finish) {
    const tools = offeredIn(call.plan.request)
    const answer = { round, target, tools, sent, reservationId: held.reservationId }
    recordMessage(step, { ...answer, reply: { ...reply, finish } })
  } else if (!failure && !isHandover(step.signal)) {
    // Refused at the moment it was stopped. What is handed over keeps what is held until it is counted (`lostRequest`).
    recordFruitless(step, await failedTry(step, call, last))
  }
  if (failure) {
    const reason = refusal === null ? endReason(failure) : 'budget'
    const message =
      refusal === null ? failedForGood(step, target, failure) : `${failure.advice} ${refusal}`
    const failedCall = finish ? null : await failedTry(step, call, last)
    endRun(step, { reason, message, failure, failedCall })
  }
  return null
}

function endReason({ category, cause }: ProviderFailure): EndReason {
  if (cause === 'connection-off') return 'revoked'
  return category === 'context-length' ? 'context' : 'provider-error'
}

type Next = Place & { delayMs: number | null }

/** What is asked after a failure; null = nothing. `delayMs` null = another model, at once. */
function nextPlace(
  step: RunStep,
  { target }: BegunCall,
  { reply, attempt, delayMs }: Try,
  failure: ProviderFailure,
): Next | null {
  if (reply.shown) return null
  if (delayMs !== null) return { target, attempt: attempt + 1, delayMs }
  const to = fallbackAfter(step, target, failure)
  return to === null ? null : { target: to, attempt: 1, delayMs: null }
}

/** Records a failure that does not end the run, waits where that was asked for, and says what is asked next. */
async function goOn(
  step: RunStep,
  { target, attempt, delayMs }: Next,
  failure: ProviderFailure,
  failedCall: FailedCall,
): Promise<Place | null> {
  const { round, target: from, used } = failedCall
  const before = settle(step).costMicroUsd
  if (delayMs === null) fallBack(step, { round, from, to: target }, failure, failedCall)
  else {
    const data = { round, attempt: attempt - 1, delayMs, failure, failedCall }
    record(step, { type: 'model-retry', data })
  }
  // What was never answered may cost, too.
  if (used) warnOfCostCaps(step, { round, before })
  // Its amounts are settled before new ones are held.
  if (used?.reservationId) await step.deps.journal.flush()
  if (delayMs !== null) await step.deps.sleep(delayMs, step.signal)
  return step.signal.aborted ? null : { target, attempt }
}

/**
 * The record of a try that brought no text and no call: what it thought, or what it may have cost if its answer never came
 * to an end. What was never sent gives back what was held for it.
 */
async function failedTry(
  step: RunStep,
  { round, target }: BegunCall,
  { reply, sent, held }: Try,
): Promise<FailedCall> {
  const { failure, finish, latencyMs, resent } = reply
  const call = { round, target, latencyMs, retries: resent }
  if (failure && !isSent(failure)) {
    await releaseCall(step, held)
    return call
  }
  const { reservationId } = held
  const usage = finish
    ? usageOf({ ...reply, finish }, sent)
    : failure && mayBeCharged(failure)
      ? usageOfSilence(sent)
      : null
  if (!usage && reservationId === null) return call
  const used = {
    usage: usage ?? emptyUsage,
    costMicroUsd: usage ? costMicroUsd(usage, sent.target.prices) : 0,
    ...(reservationId !== null && { reservationId }),
  }
  return { ...call, used }
}

function mayBeCharged(failure: ProviderFailure): boolean {
  return failure.mayBeCharged === true || failure.cause === 'broken-stream'
}

/**
 * One try of a model. `held` is what budgets hold for it; `delayMs` not null = another try may help, by a request of the
 * round that begins anew, because this one showed that the model thought. `refusal` not null = a budget had no room for the
 * request that its adapter would have made once more.
 */
type Try = {
  reply: Reply
  sent: SentRequest
  held: Held
  attempt: number
  delayMs: number | null
  refusal: string | null
}

/**
 * Asks one target, again after failures that pass as long as the model did not even think (SPEC R15). Each try is held,
 * counted and settled by itself (SPEC M2, M5). Null when the run ended, or was stopped, between two tries.
 */
async function tryModel(step: RunStep, call: BegunCall): Promise<Try | null> {
  const { round, target, plan } = call
  const model = targetAt(step, target)
  let { held } = call
  for (let attempt = call.attempt; ; attempt++) {
    const request = withinReservation(plan.request, model, held)
    const resends = openResends(step, { round, target: model, held })
    const { mayResend } = resends
    const reply = await streamReply(step, { round, target: model, request, mayResend })
    const refusal = resends.refusal()
    const { parameters } = request
    const { contextTokens } = plan
    const sent = { target: model, parameters, contextTokens, worst: held.worst }
    const place = { target, attempt, maxTries: model.maxTries }
    const delayMs = refusal === null ? delayAfter(step, place, reply) : null
    const { failure, finish } = reply
    const tried = { reply, sent, held, attempt, delayMs, refusal }
    if (!failure || delayMs === null || finish) return tried
    const next = { target, attempt: attempt + 1, delayMs }
    if (!(await goOn(step, next, failure, await failedTry(step, call, tried)))) return null
    const again = await reserveCall(step, { target: model, index: target, plan })
    if (!again || !(await beginTry(step, { round, ...next }, again))) return null
    held = again
  }
}

/** Neither is waited for where another model may be asked (SPEC R15). */
const hoppedAtOnce: ReadonlySet<FailureCause> = new Set([
  'broken-stream',
  'keys-busy',
  'others-busy',
])

/** Null = no other try. */
function delayAfter(
  step: RunStep,
  { target, ...tries }: Place & { maxTries: number },
  { failure, shown }: Reply,
): number | null {
  if (!failure || shown) return null
  const { cause } = failure
  const hopsAtOnce =
    cause && hoppedAtOnce.has(cause) && fallbackAfter(step, target, failure) !== null
  return hopsAtOnce ? null : retryDelayMs(failure, tries, step.deps.random)
}

/** False when the step was stopped, also because the model that it is on was taken away; nothing is held then. */
async function beginTry(
  step: RunStep,
  { round, target, attempt }: Place & { round: number },
  held: Held,
): Promise<boolean> {
  const { reservationId } = held
  const data = { round, target, attempt, ...(reservationId !== null && { reservationId }) }
  const begun = await beginHeld(step, held, { type: 'request-start', data })
  if (begun.type === 'closed') step.stop({ type: 'revoked', reason: begun.reason })
  return begun.type === 'begun'
}

/** What was held for a request that was not begun is given back, also when the journal is gone (SPEC M2). */
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
