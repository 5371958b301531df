import { isCapped } from '@/lib/protocol/cost-cap'
import { type ModelRequest, offeredIn } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { untrustedNote } from '@/lib/protocol/model-text'
import type { RoundView } from '@/lib/protocol/round-view'
import type { RunEventOf } from '@/lib/protocol/run-event'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import { skillNote } from '@/lib/protocol/skill-text'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { askModel, beginHeld, type Place } from './ask-model'
import { type ContextFit, contextLimit, fitContext } from './context-window'
import { failedForGood, fallBack, fallbackAfter, unsentFailure } from './fall-back'
import { messagesOf } from './messages-of'
import { outputForm, outputInstructions, outputSchemaOf } from './output-check'
import { offerTools } from './plan-offer'
import { fileRefusal, hasText } from './policy/trust-zone'
import { asksInText, toolInstructions } from './prompted-mode'
import { type Held, releaseCall, reserveCall, warnUncounted } from './reserve-call'
import { endRun, type RunStep, startOf, targetAt, warn } from './run-step'
import { sentOptions, sentParameters, unsentNotes } from './sent-parameters'
import { recordNotes } from './stream-reply'

type Turn = { round: number; closing: boolean }

/** What a turn sends: its offer, and its first model, which alone is never skipped. */
type Asking = Turn & { offer: Awaited<ReturnType<typeof offerTools>>; first: number }

/**
 * Makes one model request and records its whole answer: offer, context, budget, then the target of the round before and
 * after it the fallback chain (SPEC R1, R2, R5, R13-R15, M2). Ends the run when no target answers.
 */
export async function modelTurn(step: RunStep, turn: Turn): Promise<void> {
  const offer = await offerTools(step, turn.closing)
  const first = lastTarget(step)
  const asking: Asking = { ...turn, offer, first }
  const cost = step.state().costMicroUsd
  let place: Place | null = { target: first, attempt: 1 }
  while (place) {
    place = await askTarget(step, asking, place)
    // A failed request may have reached a cost cap: then the next one is the final one.
    if (!turn.closing && step.state().costMicroUsd !== cost && isCapped(step.state())) return
  }
}

/** Asks one model of the chain. Returns the one to ask after it; null = the turn is over. */
async function askTarget(step: RunStep, asking: Asking, place: Place): Promise<Place | null> {
  const { round, offer } = asking
  const { target: index, attempt } = place
  const target = targetAt(step.state(), index)
  const { files = [], snapshot } = startOf(step.state())
  const unfit = fileRefusal(target, files, snapshot.raisedDataClass)
  if (unfit !== null) return skipForFiles(step, asking, index, unfit)
  const plan = planRequest(step, { target, index }, { tools: offer.tools, round })
  if (!plan.fits) return skipTooSmall(step, asking, index, plan)
  const held = await reserveCall(step, { target, index, plan })
  if (!held) return null
  if (step.signal.aborted) {
    await releaseCall(step, held)
    return null
  }
  const known = step.state().prunedThrough
  const begun = await beginHeld(step, held, roundStart(asking, { ...place, plan, held }))
  if (begun.type === 'stopped') return null
  if (begun.type === 'closed') return skipClosed(step, asking, index, begun.reason)
  if (offer.unavailable) warnOfOffer(step, round, offer.unavailable)
  if (attempt === 1 && (round === 1 || index !== asking.first)) {
    recordNotes(step, round, [...notSent(snapshot, target, plan, round), ...plan.notes])
  }
  if (plan.prunedThrough > known) warnOfPruning(step, round, plan.prunedThrough)
  if (held.warning) warnUncounted(step, round, held.warning)
  return askModel(step, { round, target: index, attempt, plan, held })
}

/**
 * Skips a model whose context window is too small, when a later one accepts a conversation of this length (SPEC R13,
 * R15).
 */
function skipTooSmall(
  step: RunStep,
  { round, offer }: Asking,
  from: number,
  plan: RequestPlan,
): Place | null {
  const failure = unsentFailure(step, 'context-length', tooLong(targetAt(step.state(), from), plan))
  const { targets } = startOf(step.state()).snapshot
  const fitsLater = targets.some(
    (target, index) =>
      index > from && planRequest(step, { target, index }, { tools: offer.tools, round }).fits,
  )
  const to = fitsLater ? fallbackAfter(step, from, failure) : null
  if (to === null) {
    endRun(step, { reason: 'context', message: failedForGood(step, from, failure) })
    return null
  }
  fallBack(step, { round, from, to }, failure)
  return { target: to, attempt: 1 }
}

/** Skips a model that must not have the files of the run, or cannot read them (SPEC gate 7). */
function skipForFiles(
  step: RunStep,
  { round }: Asking,
  from: number,
  reason: string,
): Place | null {
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
): Place | null {
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

/** `notes` are the parameters that are sent otherwise than the configuration sets them. */
type RequestPlan = ContextFit & { request: ModelRequest; notes: string[] }

function planRequest(
  step: RunStep,
  { target, index }: { target: ModelTarget; index: number },
  { tools, round }: { tools: readonly ExecutableTool[]; round: number },
): RequestPlan {
  const state = step.state()
  const start = startOf(state)
  const { snapshot } = start
  const inText = asksInText(snapshot, target)
  const offered = !inText && target.toolCalling === 'unsupported' ? [] : tools
  const usesTools = offered.length > 0 || state.rounds.some((round) => round.calls.length > 0)
  const taught = inText && usesTools ? `\n\n${toolInstructions(offered, snapshot)}` : ''
  const sentTools = inText ? [] : offered
  const { skills, options } = snapshot
  const fenced = usesTools || skills.length > 0 || hasText(start.files)
  const output = outputSchemaOf(snapshot)
  const form = output && outputForm(output, target, { hasTools: offered.length > 0, inText })
  const notes = [
    fenced ? `${untrustedNote}${skillNote(skills)}${taught}` : '',
    output && form?.taught ? outputInstructions(output) : '',
  ]
  const system = [snapshot.systemPrompt, ...notes].filter((part) => part !== '').join('\n\n')
  const parameters = sentParameters(target, snapshot.parameters)
  const sent =
    options &&
    sentOptions(target, {
      wanted: { parameters: snapshot.parameters, options },
      parameters,
      offered: sentTools.map(({ name }) => name),
      isFirstRound: round === 1,
    })
  const limit = contextLimit(target, parameters.maxOutputTokens)
  const nativeOf = nativeFor(step, snapshot, target)
  const messageForm = { fenced, inText, nativeOf, target }
  const fit = fitContext(state, index, { system, tools: sentTools, ...messageForm }, limit)
  return {
    ...fit,
    notes: sent?.notes ?? [],
    request: {
      modelId: target.modelId,
      system,
      messages: messagesOf(state, { ...messageForm, prunedThrough: fit.prunedThrough }),
      tools: sentTools,
      ...(inText && usesTools && { toolsInText: offered }),
      parameters,
      ...(sent && {
        options: { ...sent.options, outputSchema: form?.native ? output : null },
      }),
      mostOutputTokens: target.maxOutputTokens,
      contextTokens: fit.contextTokens,
      reasoning: target.reasoning ?? null,
    },
  }
}

function notSent(
  { parameters, options }: RunSnapshot,
  target: ModelTarget,
  { request }: RequestPlan,
  round: number,
): string[] {
  const inText = (request.toolsInText ?? []).length > 0 ? 'in-text' : 'none'
  const tools = request.tools.length > 0 ? 'natively' : inText
  return unsentNotes(target, { parameters, options, tools, isFirstRound: round === 1 })
}

/**
 * Returns a function that gives the native answer of a round when it came from the same connection and wire (SPEC
 * R15c), in the same tool mode; else null.
 */
function nativeFor(
  { deps: { journal } }: RunStep,
  snapshot: RunSnapshot,
  target: ModelTarget,
): (round: RoundView) => string | null {
  const isInText = asksInText(snapshot, target)
  return ({ round, response, calls, inText }) => {
    const from = response && snapshot.targets[response.target]
    const isSame = from?.connectionId === target.connectionId && from.wire === target.wire
    const asksAlike = calls.length === 0 || (inText !== null) === isInText
    return isSame && asksAlike ? journal.nativeOf(round) : null
  }
}

function tooLong({ contextTokens, modelId }: ModelTarget, plan: RequestPlan): string {
  const needed = plan.contextTokens.toLocaleString('en')
  const window = (contextTokens ?? 0).toLocaleString('en')
  return `The next request needs about ${needed} tokens, but the context window of ${modelId} is ${window} tokens, including the answer. Shorten the prompt or pick a model with a larger context window.`
}

type Planned = Place & { plan: RequestPlan; held: Held }

function roundStart(
  { round, closing }: Turn,
  { target, attempt, plan: { contextTokens, request }, held: { reservationId, worst } }: Planned,
): RunEventOf<'round-start'> {
  return {
    type: 'round-start',
    data: {
      round,
      closing,
      target,
      offered: offeredIn(request).map((tool) => tool.name),
      contextTokens,
      ...(worst && { worst }),
      ...(reservationId !== null && { reservationId }),
      ...(attempt > 1 && { attempt }),
    },
  }
}

function warnOfOffer(step: RunStep, round: number, message: string): void {
  warn(step, { round, code: 'offer-unavailable', message })
}

function warnOfPruning(step: RunStep, round: number, prunedThrough: number): void {
  const message = `Rounds up to ${prunedThrough} are no longer sent, because the conversation is too long for the model's context window.`
  warn(step, { round, code: 'context-pruned', message, tellModel: true, prunedThrough })
}
