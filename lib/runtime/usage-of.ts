import type { ModelFinish } from '@/lib/protocol/model-event'
import { emptyUsage, Usage } from '@/lib/protocol/usage'
import { estimateTokens } from './context-window'

/** The provider's figures when they make sense, else our estimate, marked as one (SPEC R14). */
export function usageOf(finish: ModelFinish, contextTokens: number): Usage {
  const parsed = Usage.safeParse(finish.usage)
  if (parsed.success && isPlausible(parsed.data)) return parsed.data
  const texts = [
    finish.text,
    ...finish.reasoning.map((block) => block.text),
    ...finish.toolCalls.flatMap((call) => [call.name, call.argumentsText]),
  ]
  return {
    ...emptyUsage,
    inputTokens: contextTokens,
    outputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    estimated: true,
  }
}

function isPlausible(usage: Usage): boolean {
  return (
    usage.inputTokens + usage.outputTokens > 0 &&
    usage.cachedInputTokens + usage.cacheWriteTokens <= usage.inputTokens &&
    usage.reasoningTokens <= usage.outputTokens
  )
}
