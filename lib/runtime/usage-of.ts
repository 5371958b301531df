import type { ModelTarget } from '@/lib/protocol/model-target'
import { emptyUsage, Usage } from '@/lib/protocol/usage'
import { estimateTokens } from './estimate-tokens'
import type { Reply } from './stream-reply'

type Answer = Pick<Reply, 'draftText'> & { finish: NonNullable<Reply['finish']> }
type Limits = Pick<ModelTarget, 'contextTokens' | 'maxOutputTokens'>

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
 * away what is known of the other.
 */
export function usageOf(answer: Answer, limits: Limits, contextTokens: number): Usage {
  const parsed = Usage.safeParse(answer.finish.usage)
  const claimed = parsed.success ? parsed.data : emptyUsage
  const written = writtenTokens(answer)
  const inputHolds =
    isInputPlausible(claimed, limits) && !isFarTooLow(claimed.inputTokens, contextTokens)
  const outputHolds = isOutputPlausible(claimed, limits, written)
  if (inputHolds && outputHolds) return claimed
  return {
    ...(inputHolds ? claimed : { ...claimed, ...estimatedInput(contextTokens) }),
    ...(outputHolds ? {} : { outputTokens: written, reasoningTokens: 0 }),
    estimated: true,
  }
}

function estimatedInput(contextTokens: number) {
  return { inputTokens: contextTokens, cachedInputTokens: 0, cacheWriteTokens: 0 }
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

function writtenTokens({ finish, draftText }: Answer): number {
  const calls = finish.toolCalls.map((call) => call.name + call.argumentsText)
  const texts = [
    finish.text,
    ...finish.reasoning.map((block) => block.text),
    ...(calls.length > 0 ? calls : [draftText]),
  ]
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0)
}
