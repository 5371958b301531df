import { carriedBy, turnsLeftOut } from '@/lib/engines/runtime/earlier-turns'
import { dataRefusal } from '@/lib/engines/runtime/policy/sent-data'
import {
  endRun,
  type RunStep,
  startOf,
  targetAt,
  warn,
  warnOnce,
} from '@/lib/engines/runtime/run-step'
import {
  beginHeld,
  type Held,
  openResends,
  releaseCall,
  reserveCall,
  withinReservation,
} from '@/lib/engines/runtime/spend/reserve-call'
import { isCapped } from '@/lib/protocol/cost/cost-caps'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import type { ExecutableTool } from '@/lib/protocol/tool'
import {
  afterReply,
  type BegunCall,
  type ChainPosition,
  continueWith,
  delayAfter,
  failedTry,
  type Try,
} from './after-reply'
import { failedForGood, fallBack, fallbackAfter, unsentFailure } from './fall-back'
import {
  notSent,
  offerTools,
  planRequest,
  type RequestPlan,
  recordNotes,
  tooLong,
} from './plan-request'
import { streamReply } from './stream-reply'

type Turn = { round: number; closing: boolean }

/** A turn with the tools it offers and its first model, the only one that is never skipped. */
type Asking = Turn & { tools: readonly ExecutableTool[]; first: number }

/**
 * Makes one model request and records its whole answer: offer, context, budget, then the target of the round before and
 * after it the fallback chain (SPEC R1, R2, R5, R13-R15, M2). Ends the run when no target answers.
 */
export async function modelTurn(step: RunStep, turn: Turn): Promise<void> {
  const tools = await offerTools(step, turn.closing)
  const first = lastTarget(step)
  const asking: Asking = { ...turn, tools, first }
  const cost = step.state().costMicroUsd
  let place: ChainPosition | null = { target: first, attempt: 1 }
  while (place) {
    place = await askTarget(step, asking, place)
    // A failed request may have reached a cost cap: then the next one is the final one.
    if (!turn.closing && step.state().costMicroUsd !== cost && isCapped(step.state())) return
  }
}

/** Asks one model of the chain. Returns the one to ask after it; null = the turn is over. */
async function askTarget(
  step: RunStep,
  asking: Asking,
  place: ChainPosition,
): Promise<ChainPosition | null> {
  const { round, tools } = asking
  const { target: index, attempt } = place
  const target = targetAt(step.state(), index)
  const { files = [], snapshot } = startOf(step.state())
  const carried = carriedBy(step.deps.earlier ?? [], step.state())
  const sent = { files: [...carried.files, ...files], results: carried.results }
  const unfit = dataRefusal(target, sent, snapshot.raisedDataClass)
  if (unfit !== null) return skipForFiles(step, asking, index, unfit)
  const plan = planRequest(step, { target, index }, { tools, round })
  if (!plan.fits) return skipTooSmall(step, asking, index, plan)
  const held = await reserveCall(step, { target, index, plan })
  if (!held) return null
  if (step.signal.aborted) {
    await releaseCall(step, held)
    return null
  }
  const known = step.state()
  const begun = await beginHeld(step, held, roundStart(asking, { ...place, plan, held }))
  if (begun.type === 'stopped') return null
  if (begun.type === 'closed') return skipClosed(step, asking, index, begun.reason)
  if (attempt === 1 && (round === 1 || index !== asking.first)) {
    recordNotes(step, round, [...notSent(snapshot, target, plan, round), ...plan.notes])
  }
  warnOfPruning(step, round, { plan, known })
  if (held.warning) warnOnce(step, { round, code: 'budget-uncounted', message: held.warning })
  const call = { round, target: index, attempt, plan, held }
  const last = await tryModel(step, call)
  return last && afterReply(step, call, last)
}

/**
 * Asks one target, and again after temporary failures as long as the model has shown no reasoning (SPEC R15). Each try
 * is reserved, counted and settled by itself (SPEC M2, M5). Null when the run ended, or was stopped, between two tries.
 */
async function tryModel(step: RunStep, call: BegunCall): Promise<Try | null> {
  const { round, target, plan } = call
  const model = targetAt(step.state(), target)
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
    const tried = { sent, held, attempt, delayMs, refusal }
    if (reply.type !== 'refused' || delayMs === null) return { ...tried, reply }
    const next = { target, attempt: attempt + 1, delayMs }
    const failed = await failedTry(step, call, { ...tried, reply })
    if (!(await continueWith(step, next, reply.failure, failed))) return null
    const again = await reserveCall(step, { target: model, index: target, plan })
    if (!again || !(await beginTry(step, { round, ...next }, again))) return null
    held = again
  }
}

/**
 * Starts another try. Returns false when the step was stopped, also because the model of the run was revoked; nothing
 * is reserved then.
 */
async function beginTry(
  step: RunStep,
  { round, target, attempt }: ChainPosition & { round: number },
  held: Held,
): Promise<boolean> {
  const { reservationId } = held
  const data = { round, target, attempt, ...(reservationId !== null && { reservationId }) }
  const begun = await beginHeld(step, held, { type: 'request-start', data })
  if (begun.type === 'closed') step.stop({ type: 'revoked', reason: begun.reason })
  return begun.type === 'begun'
}

/**
 * Skips a model whose context window is too small, when a later one accepts a conversation of this length (SPEC R13,
 * R15).
 */
function skipTooSmall(
  step: RunStep,
  { round, tools }: Asking,
  from: number,
  plan: RequestPlan,
): ChainPosition | null {
  const failure = unsentFailure(step, 'context-length', tooLong(targetAt(step.state(), from), plan))
  const { targets } = startOf(step.state()).snapshot
  const fitsLater = targets.some(
    (target, index) => index > from && planRequest(step, { target, index }, { tools, round }).fits,
  )
  const to = fitsLater ? fallbackAfter(step, from, failure) : null
  if (to === null) {
    endRun(step, { reason: 'context', message: failedForGood(step, from, failure) })
    return null
  }
  fallBack(step, { round, from, to }, failure)
  return { target: to, attempt: 1 }
}

/** Skips a model that must not have the files of the run, or cannot read them (SPEC G7). */
function skipForFiles(
  step: RunStep,
  { round }: Asking,
  from: number,
  reason: string,
): ChainPosition | null {
  const failure = unsentFailure(step, 'files', reason)
  const to = from + 1
  if (!startOf(step.state()).snapshot.targets[to]) {
    endRun(step, { reason: 'provider-error', message: failedForGood(step, from, failure), failure })
    return null
  }
  fallBack(step, { round, from, to }, failure)
  return { target: to, attempt: 1 }
}

/** Skips a closed fallback. The run ends when its own model is closed (SPEC G-R). */
function skipClosed(
  step: RunStep,
  { round, first }: Asking,
  from: number,
  reason: string,
): ChainPosition | null {
  const to = from + 1
  if (from === first || !startOf(step.state()).snapshot.targets[to]) {
    endRun(step, { reason: 'revoked', message: reason })
    return null
  }
  fallBack(step, { round, from, to }, unsentFailure(step, 'connection-changed', reason))
  return { target: to, attempt: 1 }
}

/** Returns the target that answered last: a run never goes back in its fallback chain. */
function lastTarget(step: RunStep): number {
  return step.state().rounds.at(-1)?.target ?? 0
}

type Planned = ChainPosition & { plan: RequestPlan; held: Held }

function roundStart(
  { round, closing }: Turn,
  { target, attempt, plan: { contextTokens, offered }, held: { reservationId, worst } }: Planned,
): RunEventOf<'round-start'> {
  return {
    type: 'round-start',
    data: {
      round,
      closing,
      target,
      offered: [...offered],
      contextTokens,
      ...(worst && { worst }),
      ...(reservationId !== null && { reservationId }),
      ...(attempt > 1 && { attempt }),
    },
  }
}

type Pruned = { prunedTurns: number; prunedThrough: number }

/** Says what this request leaves out that the one before had. */
function warnOfPruning(
  step: RunStep,
  round: number,
  { plan, known }: { plan: Pruned; known: Pruned },
): void {
  const { prunedTurns, prunedThrough } = plan
  const why = "because the conversation is too long for the model's context window."
  if (prunedTurns > turnsLeftOut(known, step.deps.earlier ?? [])) {
    const turns = prunedTurns === 1 ? 'The oldest turn is' : `The oldest ${prunedTurns} turns are`
    const message = `${turns} no longer sent, ${why}`
    warn(step, { round, code: 'context-pruned', message, tellModel: true, prunedTurns })
  }
  if (prunedThrough > known.prunedThrough) {
    const message = `Rounds up to ${prunedThrough} are no longer sent, ${why}`
    warn(step, { round, code: 'context-pruned', message, tellModel: true, prunedThrough })
  }
}
