import type { ModelParameters } from '@/lib/protocol/model-event'
import { hasClaudeLimits } from '@/lib/protocol/model-families'
import type { ModelTarget } from '@/lib/protocol/model-target'

/** What a model may write when neither the configuration nor the model says: the most that a wire asks for by itself. */
const unknownOutputTokens = 8_192
/** What thinking may take on top, where a wire counts it apart from the answer's limit. */
const thinkingTokens = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
} as const

/**
 * The most tokens an answer to a request of `contextTokens` can have: limits first, then the room in the window. Requests to
 * Claude say their limit whole, so there the room, which is estimated, does not count. `parameters` are those that are sent.
 */
export function worstOutputTokens(
  target: ModelTarget,
  { maxOutputTokens, reasoningEffort }: ModelParameters,
  contextTokens: number,
): number {
  const answer = maxOutputTokens ?? target.maxOutputTokens ?? unknownOutputTokens
  const isClaude = hasClaudeLimits(target)
  const thinking = isClaude && reasoningEffort ? thinkingTokens[reasoningEffort] : 0
  const most = target.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const window = (isClaude ? null : target.contextTokens) ?? Number.POSITIVE_INFINITY
  const room = window - contextTokens
  return Math.max(1, Math.min(answer + thinking, most, room))
}
