import { endRun, type RunStep } from '@/lib/engines/runtime/run-step'
import { sleep } from '@/lib/engines/runtime/sleep'
import { type Held, releaseCall } from '@/lib/engines/runtime/spend/reserve-call'
import { type SentRequest, usageOf, usageOfSilence } from '@/lib/engines/runtime/spend/usage-of'
import { warnOfCostCaps } from '@/lib/engines/runtime/spend/warn-of-cost-caps'
import { costMicroUsd, emptyUsage } from '@/lib/protocol/cost/cost'
import type { Usage } from '@/lib/protocol/cost/money'
import type { FailedCall } from '@/lib/protocol/model/failed-call'
import type { FailureCause, ProviderFailure } from '@/lib/protocol/model/failure'
import { type ModelFinish, type ModelRequest, offeredIn } from '@/lib/protocol/model/message'
import type { EndReason } from '@/lib/protocol/run/run-event'
import { failedForGood, fallBack, fallbackAfter, isSent, retryDelayMs } from './fall-back'
import type { InputReport } from './fit-context'
import { recordMessage } from './record-message'
import type { Reply } from './stream-reply'

type FailedReply = Extract<Reply, { type: 'refused' | 'broke-off' }>
type StoppedReply = Extract<Reply, { type: 'stopped' | 'handed-over' }>

/** The model of the fallback chain that is asked next, and the number of the try. */
export type ChainPosition = { target: number; attempt: number }

/** A request whose start is recorded, how it was planned, and its reservation in budgets. */
export type BegunCall = ChainPosition & {
  round: number
  plan: { request: ModelRequest; contextTokens: number; report: InputReport | null }
  held: Held
}

/**
 * Records the result of the last try of a request. Returns the model to ask next, with a request of its own; null = the
 * turn is over: with an answer, with the end of the run, or because the step was stopped (SPEC R15, M5).
 */
export async function afterReply(
  step: RunStep,
  call: BegunCall,
  last: Try,
): Promise<ChainPosition | null> {
  const { reply } = last
  switch (reply.type) {
    case 'answered':
      recordAnswer(step, call, last, reply.finish)
      return null
    case 'refused':
    case 'broke-off':
      return afterFailure(step, call, { ...last, reply })
    case 'stopped':
      if (reply.part) recordAnswer(step, call, last, reply.part)
      else recordFailedTry(step, await failedTry(step, call, { ...last, reply }))
      return null
    case 'handed-over':
      // Only this process knows what the model wrote.
      recordFailedTry(step, await failedTry(step, call, { ...last, reply }))
      return null
    default:
      return reply satisfies never
  }
}

function recordAnswer(
  step: RunStep,
  { round, target, plan }: BegunCall,
  { reply, sent, held }: Try,
  finish: ModelFinish,
  failure: ProviderFailure | null = null,
): void {
  const tools = offeredIn(plan.request)
  const answer = { round, target, tools, sent, reservationId: held.reservationId }
  recordMessage(step, { ...answer, reply: { ...reply, finish, failure } })
}

/** Returns what is asked after a failure; ends the run when nothing is. */
async function afterFailure(
  step: RunStep,
  call: BegunCall,
  last: Try<FailedReply>,
): Promise<ChainPosition | null> {
  const { reply, refusal } = last
  const { failure } = reply
  const next = refusal === null && nextPlace(step, call, last)
  if (next) return continueWith(step, next, failure, await failedTry(step, call, last))
  if (reply.type === 'broke-off') recordAnswer(step, call, last, reply.part, failure)
  const reason = refusal === null ? endReason(failure) : 'budget'
  const message =
    refusal === null ? failedForGood(step, call.target, failure) : `${failure.advice} ${refusal}`
  const failedCall = reply.type === 'refused' ? await failedTry(step, call, last) : null
  endRun(step, { reason, message, failure, failedCall })
  return null
}

function endReason({ category, cause }: ProviderFailure): EndReason {
  if (cause === 'connection-off') return 'revoked'
  return category === 'context-length' ? 'context' : 'provider-error'
}

type Next = ChainPosition & { delayMs: number | null }

/** Returns what is asked after a failure; null = nothing. `delayMs` null = another model, at once. */
function nextPlace(
  step: RunStep,
  { target }: BegunCall,
  { reply, attempt, delayMs }: Try<FailedReply>,
): Next | null {
  if (wasShown(reply)) return null
  if (delayMs !== null) return { target, attempt: attempt + 1, delayMs }
  const to = fallbackAfter(step, target, reply.failure)
  return to === null ? null : { target: to, attempt: 1, delayMs: null }
}

function wasShown(reply: FailedReply): boolean {
  return reply.type === 'broke-off' && reply.shown
}

/** Records a failure that does not end the run, waits if needed, and returns what is asked next. */
export async function continueWith(
  step: RunStep,
  { target, attempt, delayMs }: Next,
  failure: ProviderFailure,
  failedCall: FailedCall,
): Promise<ChainPosition | null> {
  const { round, target: from, used } = failedCall
  const before = step.state().costMicroUsd
  if (delayMs === null) fallBack(step, { round, from, to: target }, failure, failedCall)
  else {
    const data = { round, attempt: attempt - 1, delayMs, failure, failedCall }
    step.record({ type: 'model-retry', data })
  }
  // The provider may also charge a request that it never answered.
  if (used) warnOfCostCaps(step, { round, before })
  // Settles this try before the next one reserves.
  if (used?.reservationId) await step.deps.journal.flush()
  if (delayMs !== null) await sleep(delayMs, step.signal, step.deps.after)
  return step.signal.aborted ? null : { target, attempt }
}

/**
 * Records a try that returned neither text nor a call: its reasoning, or what it may have cost if its answer was cut
 * off. A request that was never sent releases its reservation.
 */
export async function failedTry(
  step: RunStep,
  { round, target }: BegunCall,
  { reply, sent, held }: Try<FailedReply | StoppedReply>,
): Promise<FailedCall> {
  const { latencyMs, resent } = reply
  const call = { round, target, latencyMs, retries: resent }
  if ('failure' in reply && !isSent(reply.failure)) {
    await releaseCall(step, held)
    return call
  }
  const { reservationId } = held
  const usage = usageOfTry(reply, sent)
  if (!usage && reservationId === null) return call
  const used = {
    usage: usage ?? emptyUsage,
    costMicroUsd: usage ? costMicroUsd(usage, sent.target.prices) : 0,
    ...(reservationId !== null && { reservationId }),
  }
  return { ...call, used }
}

/** Returns what a try may have used; null = nothing. */
function usageOfTry(reply: FailedReply | StoppedReply, sent: SentRequest): Usage | null {
  switch (reply.type) {
    case 'refused':
      return mayBeCharged(reply.failure) ? usageOfSilence(sent) : null
    case 'broke-off':
      return usageOf({ draftText: reply.draftText, finish: reply.part }, sent)
    case 'handed-over':
      return reply.part && usageOf({ draftText: reply.draftText, finish: reply.part }, sent)
    case 'stopped':
      return null
    default:
      return reply satisfies never
  }
}

function mayBeCharged(failure: ProviderFailure): boolean {
  return failure.mayBeCharged === true || failure.cause === 'broken-stream'
}

/**
 * One try of a model. `held` is its reservation in budgets. `delayMs` not null = another try may help, as a new request
 * of the round, because this one showed reasoning. `refusal` not null = a budget refused the request that its adapter
 * would have repeated.
 */
export type Try<R extends Reply = Reply> = {
  reply: R
  sent: SentRequest
  held: Held
  attempt: number
  delayMs: number | null
  refusal: string | null
}

/** Failures that are not waited for where another model may be asked (SPEC R15). */
const skippedAtOnce: ReadonlySet<FailureCause> = new Set([
  'broken-stream',
  'keys-busy',
  'others-busy',
])

/** Returns the ms until the next try; null = no other try. */
export function delayAfter(
  step: RunStep,
  { target, ...tries }: ChainPosition & { maxTries: number },
  reply: Reply,
): number | null {
  const hasFailed = reply.type === 'refused' || reply.type === 'broke-off'
  if (!hasFailed || wasShown(reply)) return null
  const { failure } = reply
  const { cause } = failure
  const skipsAtOnce =
    cause && skippedAtOnce.has(cause) && fallbackAfter(step, target, failure) !== null
  return skipsAtOnce ? null : retryDelayMs(failure, tries, step.deps.random)
}

/** Records a request that failed while the step was stopped. */
function recordFailedTry(step: RunStep, { used, ...call }: FailedCall): void {
  const nothing = { usage: emptyUsage, costMicroUsd: 0 }
  step.record({ type: 'request-lost', data: { ...call, ...nothing, ...used } })
}
