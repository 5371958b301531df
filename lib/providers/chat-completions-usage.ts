import type { Usage } from '@/lib/protocol/usage'
import { isObject, type JsonObject, objectAt } from './json-value'
import { tokenCount, usageOf } from './token-count'

/**
 * Usage of a chunk, or null when it carries none that is usable. Cached and written tokens are parts of the
 * prompt here already. Some servers count reasoning beside the completion; the total shows it.
 */
export function readChatUsage(chunk: JsonObject): Usage | null {
  const usage = isObject(chunk.usage) ? chunk.usage : objectAt(objectAt(chunk, 'x_groq'), 'usage')
  const input = tokenCount(usage.prompt_tokens)
  const completion = tokenCount(usage.completion_tokens)
  if (input === null || completion === null) return null
  const inputDetails = objectAt(usage, 'prompt_tokens_details')
  const outputDetails = objectAt(usage, 'completion_tokens_details')
  const total = tokenCount(usage.total_tokens) ?? 0
  return usageOf({
    input,
    output: Math.max(completion, total - input),
    cached:
      tokenCount(inputDetails.cached_tokens) ?? tokenCount(usage.prompt_cache_hit_tokens) ?? 0,
    cacheWrite: tokenCount(inputDetails.cache_write_tokens) ?? 0,
    reasoning: tokenCount(outputDetails.reasoning_tokens) ?? 0,
  })
}
