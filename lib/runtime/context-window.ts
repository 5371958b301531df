import type { RunState } from '@/lib/protocol/fold-run'
import type { Message } from '@/lib/protocol/message'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RoundView } from '@/lib/protocol/round-view'
import { schemaTokens, type ToolSpec } from '@/lib/protocol/tool'
import { promptMessage, roundMessages, type Telling } from './messages-of'
import { startOf } from './run-step'

/** Counted once per object: messages and tools are the same objects in every round of a run. */
const tokensOfMessage = new WeakMap<Message, number>()
const tokensOfTool = new WeakMap<ToolSpec, number>()

/** Roughly how many tokens a text is: 4 characters of plain text each, and about one per character beyond Latin. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4 + (Buffer.byteLength(text) - text.length) / 2)
}

/** The same for a message, with a few tokens for what its wire puts around it. */
function messageTokens(message: Message): number {
  let tokens = tokensOfMessage.get(message)
  if (tokens === undefined) {
    tokens = 4 + textsOf(message).reduce((sum, text) => sum + estimateTokens(text), 0)
    tokensOfMessage.set(message, tokens)
  }
  return tokens
}

function textsOf(message: Message): string[] {
  switch (message.role) {
    case 'user':
      return [message.text]
    case 'tool':
      return [message.name, message.content]
    case 'assistant':
      return [
        message.text,
        ...message.reasoning.map((block) => block.text),
        ...message.toolCalls.flatMap((call) => [call.name, call.argumentsText]),
      ]
    default:
      return message satisfies never
  }
}

function toolTokens(tool: ToolSpec): number {
  let tokens = tokensOfTool.get(tool)
  if (tokens === undefined) {
    tokens = schemaTokens(tool)
    tokensOfTool.set(tool, tokens)
  }
  return tokens
}

/**
 * Tokens a request to this target may have: window - max output - 3 % (SPEC R13). A model's own maximum is no
 * reservation, so it takes at most half of the window; an unknown one counts as 4,096. Infinite when the window is
 * unknown.
 */
export function contextLimit(target: ModelTarget, maxOutputTokens: number | null): number {
  if (target.contextTokens === null) return Number.POSITIVE_INFINITY
  const half = Math.floor(target.contextTokens / 2)
  const output = maxOutputTokens ?? Math.min(target.maxOutputTokens ?? 4096, half)
  return target.contextTokens - output - Math.ceil(target.contextTokens * 0.03)
}

export type ContextFit = { prunedThrough: number; contextTokens: number; fits: boolean }

/** Which oldest rounds to leave out so that the request fits `limit`; never the prompt or the newest round (SPEC R13). */
export function fitContext(
  state: RunState,
  request: { system: string; tools: readonly ToolSpec[] } & Omit<Telling, 'prunedThrough'>,
  limit: number,
): ContextFit {
  const start = startOf(state)
  const { fenced, nativeOf } = request
  const tokensOf = (round: RoundView) =>
    roundMessages(round, start, nativeOf(round)).reduce(
      (sum, message) => sum + messageTokens(message),
      0,
    )
  const rounds = state.rounds.filter((round) => round.response && round.round > state.prunedThrough)

  let { prunedThrough } = state
  let contextTokens =
    estimateTokens(request.system) +
    request.tools.reduce((sum, tool) => sum + toolTokens(tool), 0) +
    messageTokens(promptMessage(start, { fenced, pruned: prunedThrough > 0 })) +
    rounds.reduce((sum, round) => sum + tokensOf(round), 0)
  for (const round of rounds.slice(0, -1)) {
    if (contextTokens <= limit) break
    contextTokens -= tokensOf(round)
    prunedThrough = round.round
  }
  return { prunedThrough, contextTokens, fits: contextTokens <= limit }
}
