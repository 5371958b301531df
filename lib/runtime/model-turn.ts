import type { ProviderFailure } from '@/lib/protocol/failure'
import type { ModelRequest } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { untrustedNote } from '@/lib/protocol/model-text'
import type { RoundView } from '@/lib/protocol/round-view'
import type { FailedCall, RunEventOf } from '@/lib/protocol/run-event'
import { skillNote } from '@/lib/protocol/skill-text'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { beginRequest } from './begin-request'
import { type ContextFit, contextLimit, fitContext } from './context-window'
import { endRun } from './end-run'
import { recordFruitless } from './lost-request'
import { messagesOf } from './messages-of'
import { offerTools } from './offer-tools'
import { recordMessage } from './record-message'
import { reportIncident } from './report-incident'
import {
  type Held,
  releaseCall,
  reserveCall,
  warnUncounted,
  withinReservation,
} from './reserve-call'
import { isPassing, retryDelayMs } from './retry-delay'
import { type RunStep, record, settle, startOf } from './run-step'
import { sentOptions, sentParameters } from './sent-parameters'
import { type Reply, streamReply } from './stream-reply'
import { isHandover } from './watch-stop'

type Turn = { round: number; closing: boolean }

/**
 * One model request and its whole answer: offer, context, budget, then the target of the round before and after it
 * the fallback chain (SPEC R1, R2, R5, R13-R15, M2). Ends the run when no target answers.
 */
export async function modelTurn(step: RunStep, turn: Turn): Promise<void> {
  const offer = await offerTools(step, turn.closing)
  const { targets } = startOf(step.base).snapshot
  const first = lastTarget(step)
  for (let index = first; ; index++) {
    const target = targets[index]
    if (!target) throw new Error(`The configuration has no model number ${index + 1}.`)
    const { round } = turn
    const plan = planRequest(step, { target, index }, { tools: offer.tools, round })
    if (!plan.fits) {
      const ending = doesNotFit(target, plan)
      // Only a fallback is passed over: what the run is on says when the conversation is too long (SPEC R13, R15).
      if (index === first || !targets[index + 1]) return endRun(step, ending)
      fallBack(step, { round: turn.round, from: index }, tooSmall(step, ending.message), null)
      continue
    }
    const held = await reserveCall(step, { target, index, plan })
    if (!held) return
    if (step.signal.aborted) return releaseCall(step, held)

    const known = settle(step).prunedThrough
    const begun = await beginRequest(step, roundStart(turn, { target: index, plan, held }))
    if (begun.type !== 'begun') await releaseCall(step, held)
    if (begun.type === 'stopped') return
    if (begun.type === 'closed') {
      // Only a fallback is passed over: the run ends with the model that it is on (SPEC G-R).
      if (index === first || !targets[index + 1])
        return endRun(step, { reason: 'revoked', message: begun.reason })
      fallBack(step, { round: turn.round, from: index }, closed(step, begun.reason), null)
      continue
    }
    if (offer.unavailable) warnBefore(step, turn.round, 'offer-unavailable', offer.unavailable)
    if (turn.round === 1 || index !== first) {
      for (const note of plan.notes) warnBefore(step, turn.round, 'parameter-changed', note)
    }
    if (plan.prunedThrough > known) warnOfPruning(step, turn.round, plan.prunedThrough)
    if (held.warning) warnUncounted(step, turn.round, held.warning)
    const request = withinReservation(plan.request, target, held)
    const asked = { round: turn.round, target: index, request }
    const { reply, retries, isBetween } = await ask(step, target, asked)
    if (reply.finish) {
      recordMessage(step, {
        round: turn.round,
        target: index,
        tools: plan.request.tools,
        contextTokens: plan.contextTokens,
        reply: { ...reply, finish: reply.finish },
        retries,
        reservationId: held.reservationId,
      })
    } else if (isBetween || !isHandover(step.signal)) await releaseCall(step, held)
    const { failure, latencyMs } = reply
    const call = { round: turn.round, target: index, latencyMs, retries }
    if (isBetween) return recordFruitless(step, call)
    if (!failure) {
      // Refused at the moment it was stopped. What is handed over keeps what is held until it is counted (`lostRequest`).
      if (!reply.finish && !isHandover(step.signal)) recordFruitless(step, call)
      return
    }
    const failedCall = reply.finish ? null : call
    if (reply.shown || !isPassing(failure) || !targets[index + 1]) {
      const reason = failure.category === 'context-length' ? 'context' : 'provider-error'
      return endRun(step, { reason, message: failure.advice, failure, failedCall })
    }
    fallBack(step, { round: turn.round, from: index }, failure, failedCall)
  }
}

function fallBack(
  step: RunStep,
  { round, from }: { round: number; from: number },
  failure: ProviderFailure,
  failedCall: FailedCall | null,
): void {
  const data = { round, from, to: from + 1, failure, ...(failedCall && { failedCall }) }
  record(step, { type: 'model-fallback', data })
}

function closed(step: RunStep, advice: string): ProviderFailure {
  const incidentId = reportIncident(step.deps, advice)
  return { category: 'connection-changed', status: null, advice, incidentId, retryAfterMs: null }
}

function tooSmall(step: RunStep, advice: string): ProviderFailure {
  const incidentId = reportIncident(step.deps, advice)
  return { category: 'context-length', status: null, advice, incidentId, retryAfterMs: null }
}

/** A run stays with the target that answered last: its fallback chain is only walked forward. */
function lastTarget(step: RunStep): number {
  return step.base.rounds.at(-1)?.target ?? 0
}

/** `notes` say what is sent otherwise than the configuration sets it. */
type RequestPlan = ContextFit & { request: ModelRequest; notes: string[] }

function planRequest(
  step: RunStep,
  { target, index }: { target: ModelTarget; index: number },
  { tools, round }: { tools: readonly ExecutableTool[]; round: number },
): RequestPlan {
  const state = settle(step)
  const start = startOf(state)
  const { snapshot } = start
  const offered = target.toolCalling === 'unsupported' ? [] : tools
  const usesTools = offered.length > 0 || state.rounds.some((round) => round.calls.length > 0)
  const { skills, options } = snapshot
  const fenced = usesTools || skills.length > 0
  const system = fenced
    ? `${snapshot.systemPrompt}\n\n${untrustedNote}${skillNote(skills)}`.trimStart()
    : snapshot.systemPrompt
  const parameters = sentParameters(target, snapshot.parameters)
  const sent =
    options &&
    sentOptions(target, {
      wanted: { parameters: snapshot.parameters, options },
      parameters,
      offered: offered.map(({ name }) => name),
      isFirstRound: round === 1,
    })
  const limit = contextLimit(target, parameters.maxOutputTokens)
  const nativeOf = nativeFor(step, snapshot.targets, target)
  const fit = fitContext(state, index, { system, tools: offered, fenced, nativeOf }, limit)
  return {
    ...fit,
    notes: sent?.notes ?? [],
    request: {
      modelId: target.modelId,
      system,
      messages: messagesOf(state, { fenced, prunedThrough: fit.prunedThrough, nativeOf }),
      tools: offered,
      parameters,
      ...(sent && { options: sent.options }),
      mostOutputTokens: target.maxOutputTokens,
      reasoning: target.reasoning ?? null,
    },
  }
}

/** What a provider wrote goes back to where it came from only: the same connection and wire (SPEC R15c). */
function nativeFor(
  { deps: { journal } }: RunStep,
  targets: readonly ModelTarget[],
  { connectionId, wire }: ModelTarget,
): (round: RoundView) => string | null {
  return ({ round, response }) => {
    const from = response && targets[response.target]
    const isSame = from?.connectionId === connectionId && from.wire === wire
    return isSame ? journal.nativeOf(round) : null
  }
}

function doesNotFit(target: ModelTarget, plan: RequestPlan) {
  const needed = plan.contextTokens.toLocaleString('en')
  const window = (target.contextTokens ?? 0).toLocaleString('en')
  return {
    reason: 'context' as const,
    message: `The next request needs about ${needed} tokens, but the context window of ${target.modelId} is ${window} tokens, including the answer. Shorten the prompt or pick a model with a larger context window.`,
  }
}

type Planned = { target: number; plan: RequestPlan; held: Held }

function roundStart(
  { round, closing }: Turn,
  { target, plan: { contextTokens, request }, held: { reservationId, worst } }: Planned,
): RunEventOf<'round-start'> {
  return {
    type: 'round-start',
    data: {
      round,
      closing,
      target,
      offered: request.tools.map((tool) => tool.name),
      contextTokens,
      ...(worst && { worst }),
      ...(reservationId !== null && { reservationId }),
    },
  }
}

function warnBefore(
  step: RunStep,
  round: number,
  code: 'offer-unavailable' | 'parameter-changed',
  message: string,
): void {
  const data = { round, code, message, tellModel: false, prunedThrough: null }
  record(step, { type: 'warning', data })
}

function warnOfPruning(step: RunStep, round: number, prunedThrough: number): void {
  const message = `Rounds up to ${prunedThrough} are no longer sent, because the conversation is too long for the model's context window.`
  record(step, {
    type: 'warning',
    data: { round, code: 'context-pruned', message, tellModel: true, prunedThrough },
  })
}

type Asked = { round: number; target: number; request: ModelRequest }

/**
 * Asks one target, again after failures that pass as long as nothing was shown (SPEC R15). `retries` counts what the
 * adapter asked again by itself, too; `isBetween` = the step was stopped between two tries.
 */
async function ask(
  step: RunStep,
  target: ModelTarget,
  { round, target: index, request }: Asked,
): Promise<{ reply: Reply; retries: number; isBetween: boolean }> {
  let retries = 0
  for (let attempt = 1; ; attempt++) {
    const reply = await streamReply(step, round, target, request)
    const { failure, shown } = reply
    retries += reply.resent
    const tries = { attempt, maxTries: target.maxTries }
    const delayMs = failure && !shown ? retryDelayMs(failure, tries, step.deps.random) : null
    if (!failure || delayMs === null) return { reply, retries, isBetween: false }
    record(step, { type: 'model-retry', data: { round, attempt, delayMs, failure } })
    await step.deps.sleep(delayMs, step.signal)
    if (
      step.signal.aborted ||
      !(await beginTry(step, { round, target: index, attempt: attempt + 1 }))
    )
      return { reply, retries, isBetween: true }
    retries += 1
  }
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
