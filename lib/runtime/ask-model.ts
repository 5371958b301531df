import { costMicroUsd } from '@/lib/protocol/cost'
import type { FailureCause, ProviderFailure } from '@/lib/protocol/failure'
import { type ModelRequest, offeredIn } from '@/lib/protocol/model-event'
import type { FailedCall, RunEventOf } from '@/lib/protocol/run-event'
import { beginRequest } from './begin-request'
import { warnOfCostCaps } from './cost-cap-warnings'
import { endRun } from './end-run'
import { failedForGood, fallBack, fallbackAfter } from './fall-back'
import { recordFruitless } from './lost-request'
import { recordMessage } from './record-message'
import { type Held, releaseCall } from './reserve-call'
import { retryDelayMs } from './retry-delay'
import { type RunStep, record, settle, targetAt } from './run-step'
import { type Reply, streamReply } from './stream-reply'
import { usageOf } from './usage-of'
import { isHandover } from './watch-stop'

/** Which model of the chain is asked next, and which try of it that is. */
export type Place = { target: number; attempt: number }

/** A request that was begun, and what budgets hold for it. */
export type BegunCall = Place & {
  round: number
  request: ModelRequest
  contextTokens: number
  held: Held
}

/**
 * Sends a request that was begun, again where that may help, and records what came of it. Returns the model that is asked
 * next, by a request of its own; null = the turn is over: with an answer, with the run's end, or because the step was
 * stopped (SPEC R15, M5).
 */
export async function askModel(step: RunStep, call: BegunCall): Promise<Place | null> {
  const { round, target } = call
  const tries = await tryModel(step, call)
  const { reply, retries, isBetween } = tries
  const { failure, finish } = reply
  const made = { round, target, latencyMs: reply.latencyMs, retries }
  if (isBetween) {
    await releaseCall(step, call.held)
    recordFruitless(step, made)
    return null
  }
  const next = failure && nextPlace(step, call, tries, failure)
  if (next) {
    const used = finish && usedBy(step, call, { ...reply, finish })
    if (!used) await releaseCall(step, call.held)
    return goOn(step, next, failure, { ...made, ...(used && { used }) })
  }
  if (finish) {
    const { contextTokens, held, request } = call
    const tools = offeredIn(request)
    const { reservationId } = held
    const answer = { round, target, tools, contextTokens, retries, reservationId }
    recordMessage(step, { ...answer, reply: { ...reply, finish } })
  } else if (!isHandover(step.signal)) {
    await releaseCall(step, call.held)
    // Refused at the moment it was stopped. What is handed over keeps what is held until it is counted (`lostRequest`).
    if (!failure) recordFruitless(step, made)
  }
  if (failure) {
    const reason = failure.category === 'context-length' ? 'context' : 'provider-error'
    const message = failedForGood(step, target, failure)
    endRun(step, { reason, message, failure, failedCall: finish ? null : made })
  }
  return null
}

type Next = Place & { delayMs: number | null }

/** What is asked after a failure; null = nothing. `delayMs` null = another model, at once. */
function nextPlace(
  step: RunStep,
  { target }: BegunCall,
  { reply, attempt, delayMs }: Tries,
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
  const { round, target: from } = failedCall
  const before = settle(step).costMicroUsd
  if (delayMs === null) fallBack(step, { round, from, to: target }, failure, failedCall)
  else {
    const data = { round, attempt: attempt - 1, delayMs, failure, failedCall }
    record(step, { type: 'model-retry', data })
  }
  // What was only thought costs, too.
  if (failedCall.used) warnOfCostCaps(step, { round, before })
  if (delayMs !== null) await step.deps.sleep(delayMs, step.signal)
  return step.signal.aborted ? null : { target, attempt }
}

function usedBy(
  step: RunStep,
  { target, contextTokens, held: { reservationId } }: BegunCall,
  answer: Parameters<typeof usageOf>[0],
): FailedCall['used'] {
  const model = targetAt(step, target)
  const usage = usageOf(answer, model, contextTokens)
  const cost = costMicroUsd(usage, model.prices)
  return { usage, costMicroUsd: cost, ...(reservationId !== null && { reservationId }) }
}

/**
 * The last reply of a model. `retries` counts what the adapter asked again by itself, too; `delayMs` not null = another try
 * may help, by a request of its own, because this one used something; `isBetween` = the step was stopped between two tries.
 */
type Tries = {
  reply: Reply
  retries: number
  attempt: number
  delayMs: number | null
  isBetween: boolean
}

/** Asks one target, again after failures that pass as long as the model did not even think (SPEC R15). */
async function tryModel(
  step: RunStep,
  { round, target, request, ...place }: BegunCall,
): Promise<Tries> {
  const model = targetAt(step, target)
  let retries = 0
  for (let attempt = place.attempt; ; attempt++) {
    const reply = await streamReply(step, round, model, request)
    retries += reply.resent
    const delayMs = delayAfter(step, { target, attempt, maxTries: model.maxTries }, reply)
    const { failure, finish } = reply
    if (!failure || delayMs === null || finish) {
      return { reply, retries, attempt, delayMs, isBetween: false }
    }
    record(step, { type: 'model-retry', data: { round, attempt, delayMs, failure } })
    await step.deps.sleep(delayMs, step.signal)
    if (step.signal.aborted || !(await beginTry(step, { round, target, attempt: attempt + 1 })))
      return { reply, retries, attempt, delayMs, isBetween: true }
    retries += 1
  }
}

/** Neither is waited for where another model may be asked (SPEC R15). */
const hoppedAtOnce: ReadonlySet<FailureCause> = new Set(['broken-stream', 'keys-busy'])

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

/** False when the step was stopped, also because the model that it is on was taken away. */
async function beginTry(
  step: RunStep,
  data: RunEventOf<'request-start'>['data'],
): Promise<boolean> {
  const begun = await beginRequest(step, { type: 'request-start', data })
  if (begun.type === 'closed') step.stop({ type: 'revoked', reason: begun.reason })
  return begun.type === 'begun'
}
