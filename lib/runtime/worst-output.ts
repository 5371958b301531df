import type { ModelParameters } from '@/lib/protocol/model-event'
import { hasClaudeLimits, thinkingTokens } from '@/lib/protocol/model-families'
import type { ModelTarget } from '@/lib/protocol/model-target'

/** What a model may write when neither the configuration nor the model says: the most that a wire asks for by itself. */
const unknownOutputTokens = 8_192

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
