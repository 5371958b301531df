import { hasClaudeLimits, thinkingTokens } from '@/lib/protocol/model-families'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { ModelParameters } from '@/lib/protocol/parameters'

/** The output limit when neither the configuration nor the model has one: the highest default of a wire. */
const unknownOutputTokens = 8_192

/**
 * Returns the most tokens an answer to a request of `contextTokens` can have: limits first, then the room in the
 * window. Requests to Claude send their limit, so the estimated room does not count there. `parameters` are those that
 * are sent.
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
