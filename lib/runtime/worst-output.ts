import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RunSnapshot } from '@/lib/protocol/run-event'

/** What a model may write when neither the configuration nor the model says: the most that a wire asks for by itself. */
const unknownOutputTokens = 8_192
/** What thinking may take on top, where a wire counts it apart from the answer's limit. */
const thinkingTokens = { low: 2_048, medium: 8_192, high: 24_576 } as const

/** The most tokens an answer to a request of `contextTokens` can have: limits first, then the room in the window. */
export function worstOutputTokens(
  target: ModelTarget,
  { maxOutputTokens, reasoningEffort }: RunSnapshot['parameters'],
  contextTokens: number,
): number {
  const answer = maxOutputTokens ?? target.maxOutputTokens ?? unknownOutputTokens
  const thinking =
    target.wire === 'anthropic' && reasoningEffort ? thinkingTokens[reasoningEffort] : 0
  const room = (target.contextTokens ?? Number.POSITIVE_INFINITY) - contextTokens
  return Math.max(1, Math.min(answer + thinking, room))
}
