import type { ModelFinish, ModelParameters } from '@/lib/protocol/model-event'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { emptyUsage, type Usage } from '@/lib/protocol/usage'
import type { WorstCase } from './deps'
import { estimateTokens } from './estimate-tokens'
import type { Reply } from './stream-reply'
import { loadedCounter } from './token-counters'
import { worstOutputTokens } from './worst-output'

type Answer = Pick<Reply, 'draftText'> & { finish: NonNullable<Reply['finish']> }
type Limits = Pick<ModelTarget, 'contextTokens' | 'maxOutputTokens'>

/** A request as it was sent. `worst`: the most that it can use, where a budget counts it. */
export type SentRequest = {
  target: ModelTarget
  parameters: ModelParameters
  contextTokens: number
  worst: WorstCase | null
}

/** Figures are believed up to twice what the model is said to take: limits are typed in, and some are out of date. */
const leeway = 2
/** Thinking that a wire counts beside the answer's limit. */
const mostThinking = 32_768
/** When nothing is known of the model: no request of a run is near this. */
const largestCount = 10_000_000

/** Below this an estimate may be far off and nothing much is lost. */
const longText = 10_000
/** Nothing that people or tools write has 80 characters a token; 4 are usual, and code and figures have fewer. */
const farOff = 20

/**
 * The provider's figures where they make sense, else our estimate, marked as one (SPEC R14): more than the model takes, or
 * next to nothing for a long text, makes none. Input and output are judged apart, so that a fault in one does not take
 * away what is known of the other. Where a budget counts the request, an estimate is the most that it may have used (M2).
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

/** Checked by hand: this runs for each answer, and the schema takes ten times as long. */
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

/** What a request may have used whose answer did not come: what it was sent, and thinking that is not shown. */
export function usageOfSilence(sent: SentRequest): Usage {
  return usageOf({ draftText: '', finish: silence }, sent)
}

const silence: ModelFinish = {
  type: 'finish',
  finishReason: 'cut',
  text: '',
  reasoning: [],
  toolCalls: [],
  usage: null,
}

/** What is not known to have been read from a cache may have been written to one, which costs more. */
function estimatedInput({ contextTokens, worst, target: { prices } }: SentRequest) {
  const inputTokens = worst?.inputTokens ?? contextTokens
  const isDearer = worst !== null && (prices.cacheWrite ?? 0) > (prices.input ?? 0)
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: isDearer ? inputTokens : 0 }
}

/** Tokens of what was shown; no more than was asked for. */
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

/** Models that think only when they are asked to. */
function thinksOnDemand({ wire, modelId }: ModelTarget): boolean {
  return wire === 'anthropic' || (wire === 'bedrock' && /claude|nova/.test(modelId))
}

/** The most that the model may have thought without showing it: all that was asked for, when it reasons (SPEC M5). */
function unseenTokens({ finish }: Answer, sent: SentRequest): number {
  const { target, parameters, contextTokens, worst } = sent
  const { reasoning: reasons, wire } = target
  const { reasoningEffort: effort } = parameters
  // Gemini's newer models go on thinking when they are asked not to.
  const isAsked = effort !== 'none' || wire === 'gemini'
  if (reasons === false || !isAsked || showsThinking.has(wire)) return 0
  if (effort === null && (reasons !== true || thinksOnDemand(target))) return 0
  if (wire === 'openai-compatible' && finish.reasoning.length > 0) return 0
  return worst?.outputTokens ?? worstOutputTokens(target, parameters, contextTokens)
}

/** Nobody asks without a word, so no input is no figure. */
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

/** Cached tokens are a part of what is counted, so a conversation that was read from a cache is no exception. */
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
