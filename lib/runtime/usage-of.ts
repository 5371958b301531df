import type { ModelTarget } from '@/lib/protocol/model-target'
import { emptyUsage, Usage } from '@/lib/protocol/usage'
import { estimateTokens } from './context-window'
import type { Reply } from './stream-reply'

type Answer = Pick<Reply, 'draftText'> & { finish: NonNullable<Reply['finish']> }
type Limits = Pick<ModelTarget, 'contextTokens' | 'maxOutputTokens'>

/** Figures are believed up to twice what the model is said to take: limits are typed in, and some are out of date. */
const leeway = 2
/** Thinking that a wire counts beside the answer's limit. */
const mostThinking = 32_768
/** When nothing is known of the model: no request of a run is near this. */
const largestCount = 10_000_000

/**
 * The provider's figures where they make sense, else our estimate, marked as one (SPEC R14). Input and output are judged
 * apart, so that a fault in one does not take away what is known of the other.
 */
export function usageOf(answer: Answer, limits: Limits, contextTokens: number): Usage {
  const parsed = Usage.safeParse(answer.finish.usage)
  const claimed = parsed.success ? parsed.data : emptyUsage
  const written = writtenTokens(answer)
  const inputHolds = isInputPlausible(claimed, limits)
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
  return usage.outputTokens <= largestOutput(limits) && usage.reasoningTokens <= usage.outputTokens
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
