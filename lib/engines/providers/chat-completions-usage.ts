import type { Usage } from '@/lib/protocol/cost'
import { isObject, type JsonObject, listAt, objectAt } from './json-value'
import { reportedCost, tokenCount, usageOf } from './token-count'

/**
 * Usage of a chunk, or null when it carries none that is usable. Cached and written tokens are parts of the
 * prompt here already. Some servers count reasoning beside the completion; the total shows it.
 */
export function readChatUsage(chunk: JsonObject): Usage | null {
  const usage = usageIn(chunk)
  const input = tokenCount(usage.prompt_tokens)
  const completion = tokenCount(usage.completion_tokens)
  if (input === null || completion === null) return null
  const inputDetails = objectAt(usage, 'prompt_tokens_details')
  const outputDetails = objectAt(usage, 'completion_tokens_details')
  const total = tokenCount(usage.total_tokens) ?? 0
  const counted = usageOf({
    input,
    output: Math.max(completion, total - input),
    cached:
      tokenCount(inputDetails.cached_tokens) ??
      tokenCount(usage.cached_tokens) ??
      tokenCount(usage.prompt_cache_hit_tokens) ??
      0,
    cacheWrite: tokenCount(inputDetails.cache_write_tokens) ?? 0,
    reasoning: tokenCount(outputDetails.reasoning_tokens) ?? 0,
  })
  return { ...counted, ...reportedCost(usage) }
}

/** Servers put it into the chunk, into a field of their own, or into the first choice. */
function usageIn(chunk: JsonObject): JsonObject {
  if (isObject(chunk.usage)) return chunk.usage
  const [choice] = listAt(chunk, 'choices')
  const inChoice = isObject(choice) ? choice.usage : undefined
  return isObject(inChoice) ? inChoice : objectAt(objectAt(chunk, 'x_groq'), 'usage')
}
