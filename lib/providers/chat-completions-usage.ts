import type { Usage } from '@/lib/protocol/usage'
import { isObject, type JsonObject, listAt, objectAt } from './json-value'
import { tokenCount, usageOf } from './token-count'

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
  const cost = costIn(usage)
  const counts = usageOf({
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
  return cost === null ? counts : { ...counts, reportedCostMicroUsd: cost }
}

/** More is a fault; it would only be shown, but as a sum with others. */
const largestCostMicroUsd = 1e12

/** What the server says that it charges, in micro-USD, rounded up: OpenRouter in dollars, xAI in parts of 10^-10 dollars. */
function costIn({ cost, cost_in_usd_ticks: ticks }: JsonObject): number | null {
  const microUsd =
    typeof cost === 'number' ? cost * 1e6 : typeof ticks === 'number' ? ticks / 1e4 : Number.NaN
  const isUsable = Number.isFinite(microUsd) && microUsd >= 0 && microUsd <= largestCostMicroUsd
  // Decimal fractions of a dollar are a little more or less in binary.
  return isUsable ? Math.max(0, Math.ceil(microUsd - 1e-6)) : null
}

/** Servers put it into the chunk, into a field of their own, or into the first choice. */
function usageIn(chunk: JsonObject): JsonObject {
  if (isObject(chunk.usage)) return chunk.usage
  const [choice] = listAt(chunk, 'choices')
  const inChoice = isObject(choice) ? choice.usage : undefined
  return isObject(inChoice) ? inChoice : objectAt(objectAt(chunk, 'x_groq'), 'usage')
}
