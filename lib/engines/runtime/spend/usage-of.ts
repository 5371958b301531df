import { sentParameters } from '@/lib/engines/runtime/ask/sent-parameters'
import type { ShownAnswer, WorstCase } from '@/lib/engines/runtime/deps'
import { type RunStep, startOf } from '@/lib/engines/runtime/run-step'
import { costMicroUsd, emptyUsage } from '@/lib/protocol/cost/cost'
import type { Usage } from '@/lib/protocol/cost/money'
import type { ModelFinish } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { ModelParameters } from '@/lib/protocol/parameters/parameters'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { RoundView } from '@/lib/protocol/run/round-view'
import type { RunEventOf } from '@/lib/protocol/run/run-event'
import { estimateTokens, loadedCounter } from './count-tokens'
import { warnOfCostCaps } from './warn-of-cost-caps'
import { worstOutputTokens } from './worst-case'

/** `draftText`: the names and arguments of calls that were shown. */
type Answer = { draftText: string; finish: ModelFinish }
type Limits = Pick<ModelTarget, 'contextTokens' | 'maxOutputTokens'>

/** A request as it was sent. `worst`: the most that it can use, where a budget counts it. */
export type SentRequest = {
  target: ModelTarget
  parameters: ModelParameters
  contextTokens: number
  worst: WorstCase | null
}

/**
 * Reported figures count up to this multiple of the limits of the model: limits are entered by people, and some are out
 * of date.
 */
const leeway = 2
/** Reasoning tokens that a wire counts beside the limit of the answer. */
const mostThinking = 32_768
/** The limit for an unknown model: no request of a run is near it. */
const largestCount = 10_000_000

/** Below this an estimate may be far off without much effect. */
const longText = 10_000
/** No text of people or tools has 80 characters per token; 4 are usual, and code and figures have fewer. */
const farOff = 20

/**
 * Returns the reported figures where they are plausible, else our estimate, marked as one (SPEC R14): more than the
 * model accepts, or almost nothing for a long text, is not. Input and output are judged separately, so that one wrong
 * figure does not discard the other. Where a budget counts the request, an estimate is the most that it may have used
 * (M2).
 */
export function usageOf(answer: Answer, sent: SentRequest): Usage {
  const { target, contextTokens } = sent
  const { usage } = answer.finish
  const claimed = usage !== null && hasCounts(usage) ? usage : emptyUsage
  const texts = writtenTexts(answer)
  const written = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  const inputHolds =
    isInputPlausible(claimed, target) && !isFarTooLow(claimed.inputTokens, contextTokens)
  const outputHolds = isOutputPlausible(claimed, target, written)
  const isOpen =
    answer.finish.finishReason === 'cut' && (claimed.estimated || claimed.outputTokens === 0)
  if (inputHolds && outputHolds && !isOpen) return claimed
  const most = outputHolds ? claimed.outputTokens : 0
  return {
    ...(inputHolds ? claimed : { ...claimed, ...estimatedInput(sent) }),
    ...(outputHolds ? {} : { outputTokens: shownTokens(texts, sent), reasoningTokens: 0 }),
    ...(isOpen && {
      outputTokens: Math.max(most, shownTokens(texts, sent), unseenTokens(answer, sent)),
    }),
    estimated: true,
  }
}

/**
 * Returns whether usage has counts. Checked without a schema, because this runs for each answer and a schema takes ten
 * times as long.
 */
function hasCounts(usage: Usage): boolean {
  return (
    isCount(usage.inputTokens) &&
    isCount(usage.outputTokens) &&
    isCount(usage.cachedInputTokens) &&
    isCount(usage.cacheWriteTokens) &&
    isCount(usage.reasoningTokens) &&
    isCount(usage.reportedCostMicroUsd ?? 0)
  )
}

function isCount(figure: number): boolean {
  return Number.isSafeInteger(figure) && figure >= 0
}

/** Returns what a request without an answer may have used: its input, and hidden reasoning. */
export function usageOfSilence(sent: SentRequest): Usage {
  return usageOf({ draftText: '', finish: silence }, sent)
}

/** Returns what a request may have used whose answer is unknown, except for what was shown of it. */
function usageOfLost(sent: SentRequest, shownTokens: number): Usage {
  const usage = usageOfSilence(sent)
  const outputTokens = sent.worst?.outputTokens ?? Math.max(usage.outputTokens, shownTokens)
  return { ...usage, outputTokens }
}

const silence: ModelFinish = {
  type: 'finish',
  finishReason: 'cut',
  text: '',
  reasoning: [],
  toolCalls: [],
  usage: null,
}

/**
 * Returns estimated input. Input that is not known to come from a cache may have been written to one, which costs more.
 */
function estimatedInput({ contextTokens, worst, target: { prices } }: SentRequest) {
  const inputTokens = worst?.inputTokens ?? contextTokens
  const isDearer = worst !== null && (prices.cacheWrite ?? 0) > (prices.input ?? 0)
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: isDearer ? inputTokens : 0 }
}

/** Estimates the tokens that were shown; at most the requested limit. */
function shownTokens(texts: readonly string[], { target, worst }: SentRequest): number {
  if (!worst) return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  const { count } = loadedCounter(target)
  return Math.min(
    texts.reduce((sum, text) => sum + count(text), 0),
    worst.outputTokens,
  )
}

/** Wires that stream all of the thinking; the others show none or a summary. */
const showsThinking: ReadonlySet<ModelTarget['wire']> = new Set(['ollama', 'demo'])

/** Returns whether a model reasons only when it is asked to. */
function thinksOnDemand({ wire, modelId }: ModelTarget): boolean {
  return wire === 'anthropic' || (wire === 'bedrock' && /claude|nova/.test(modelId))
}

/** Returns the most hidden reasoning tokens of a model that reasons: the whole requested limit (SPEC M5). */
function unseenTokens({ finish }: Answer, sent: SentRequest): number {
  const { target, parameters, contextTokens, worst } = sent
  const { reasoning: reasons, wire } = target
  const { reasoningEffort: effort } = parameters
  // Gemini's newer models reason even when it is disabled.
  const isAsked = effort !== 'none' || wire === 'gemini'
  if (reasons === false || !isAsked || showsThinking.has(wire)) return 0
  if (effort === null && (reasons !== true || thinksOnDemand(target))) return 0
  if (wire === 'openai-compatible' && finish.reasoning.length > 0) return 0
  return worst?.outputTokens ?? worstOutputTokens(target, parameters, contextTokens)
}

/** Returns whether the input is plausible. A request is never empty, so no input is invalid. */
function isInputPlausible(usage: Usage, { contextTokens }: Limits): boolean {
  return (
    usage.inputTokens > 0 &&
    usage.inputTokens <= (contextTokens === null ? largestCount : contextTokens * leeway) &&
    usage.cachedInputTokens + usage.cacheWriteTokens <= usage.inputTokens
  )
}

function isOutputPlausible(usage: Usage, limits: Limits, written: number): boolean {
  if (usage.outputTokens === 0 && written > 0) return false
  if (isFarTooLow(usage.outputTokens, written)) return false
  return usage.outputTokens <= largestOutput(limits) && usage.reasoningTokens <= usage.outputTokens
}

/**
 * Returns whether a count is far too low. Cached tokens are part of the input, so a conversation from a cache is no
 * exception.
 */
function isFarTooLow(counted: number, estimate: number): boolean {
  return estimate >= longText && counted * farOff < estimate
}

function largestOutput({ contextTokens, maxOutputTokens }: Limits): number {
  if (maxOutputTokens !== null) return maxOutputTokens * leeway + mostThinking
  return contextTokens === null ? largestCount : contextTokens * leeway
}

function writtenTexts({ finish, draftText }: Answer): string[] {
  const calls = finish.toolCalls.map((call) => call.name + call.argumentsText)
  return [
    finish.text,
    ...finish.reasoning.map((block) => block.text),
    ...(calls.length > 0 ? calls : [draftText]),
  ]
}

type LostRequest = RunEventOf<'request-lost'>

/**
 * Returns the unfinished request of a run; null = there is none. Its provider may charge it, but what it wrote was lost
 * with its process: it counts as what was sent and what was `shown` and, where a budget counts it, as the most that it may
 * have used. A request that failed before its next try started used nothing.
 */
export function lostRequest(state: RunState, shown?: ShownAnswer): LostRequest | null {
  const round = state.rounds.at(-1)
  const target = round && state.start?.snapshot.targets[round.target]
  if (!round?.requested || !target) return null
  const { reservationId, attempt } = round.requested
  const { snapshot } = startOf(state)
  const sent = {
    target,
    parameters: sentParameters(target, snapshot.parameters),
    contextTokens: round.contextTokens,
    worst: round.worst ?? null,
  }
  const shownTokens = shown && shown.start === round.streamed?.start ? shown.tokens : 0
  const usage = hasFailed(round, attempt) ? emptyUsage : usageOfLost(sent, shownTokens)
  return {
    type: 'request-lost',
    data: {
      round: round.round,
      target: round.target,
      latencyMs: 0,
      retries: uncountedTries(round, attempt),
      usage,
      costMicroUsd: costMicroUsd(usage, target.prices),
      ...(reservationId !== null && { reservationId }),
    },
  }
}

/** Returns whether `recordLostRequest` may have something to record. */
export function mayHaveLost({ rounds }: RunState): boolean {
  const last = rounds.at(-1)
  return last !== undefined && (last.requested !== null || last.notes.at(-1)?.type === 'lost')
}

/**
 * Records an unfinished request at the start of a step: then it is from a former process (SPEC J4, M5). It may have
 * passed a cost cap, also when the process that found it recorded it.
 */
export async function recordLostRequest(step: RunStep): Promise<void> {
  const lost = lostRequest(step.state(), step.deps.shown)
  if (lost) step.record(lost)
  const state = step.state()
  const note = state.rounds.at(-1)?.notes.at(-1)
  if (note?.type !== 'lost' || state.rounds.at(-1)?.response) return
  const { round, costMicroUsd } = note.data
  warnOfCostCaps(step, { round, before: without(state.costMicroUsd, costMicroUsd) })
  // Budgets settle with this event, before the next request asks them.
  await step.deps.journal.flush()
}

/** Returns the cost of the run before; null = unknown. */
function without(cost: number | null, lost: number | null): number | null {
  return cost === null || lost === null ? null : cost - lost
}

/** Returns earlier tries without a record of their own, which only old journals have. */
function uncountedTries({ notes, startedAt }: RoundView, attempt: number): number {
  return notes.filter(
    (note) =>
      note.type === 'retry' &&
      note.at >= startedAt &&
      note.data.attempt < attempt &&
      !note.data.failedCall,
  ).length
}

function hasFailed({ notes, startedAt }: RoundView, attempt: number): boolean {
  return notes.some(
    (note) => note.type === 'retry' && note.at >= startedAt && note.data.attempt === attempt,
  )
}
