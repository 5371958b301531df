import { createHash } from 'node:crypto'
import { converseEvent } from './event-stream-frame'
import { argumentPieces, type ServedAnswer } from './scripted-turn'

const stopReasons = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'guardrail_intervened',
} as const

/** Returns the signature of a reasoning block. Whoever changes the block cannot make one. */
export function signatureOf(thought: string): string {
  return createHash('sha256').update(`signed ${thought}`).digest('base64')
}

/** Calls that came with a thought, which has to come back with them. */
export const thoughtOf = new Map<string, string>()

/** Returns the messages of a Converse stream. Only blocks of calls have a start event. */
export function bedrockFrames(answer: ServedAnswer): Buffer[] {
  const frames = [converseEvent('messageStart', { role: 'assistant' })]
  const send = (type: string, body: object) => void frames.push(converseEvent(type, body))
  const thought = answer.reasoning.join('')
  let contentBlockIndex = 0
  const block = (deltas: object[], start?: object) => {
    if (start) send('contentBlockStart', { contentBlockIndex, start })
    for (const delta of deltas) send('contentBlockDelta', { contentBlockIndex, delta })
    send('contentBlockStop', { contentBlockIndex })
    contentBlockIndex += 1
  }
  if (thought !== '') {
    block([
      ...answer.reasoning.map((text) => ({ reasoningContent: { text } })),
      { reasoningContent: { signature: signatureOf(thought) } },
    ])
  }
  if (answer.text.length > 0) block(answer.text.map((text) => ({ text })))
  for (const { id, name, argumentsText } of answer.calls) {
    const toolUseId = id ?? ''
    if (thought !== '') thoughtOf.set(toolUseId, thought)
    block(
      argumentPieces(argumentsText).map((input) => ({ toolUse: { input } })),
      { toolUse: { toolUseId, name } },
    )
  }
  send('messageStop', { stopReason: stopReasons[answer.finish] })
  send('metadata', { ...usageOf(answer), metrics: { latencyMs: 12 } })
  return frames
}

function usageOf({ usage }: ServedAnswer): object {
  if (!usage) return {}
  const { inputTokens, outputTokens, cachedInputTokens: read, cacheWriteTokens: written } = usage
  return {
    usage: {
      inputTokens: inputTokens - read - written,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      cacheReadInputTokens: read,
      cacheWriteInputTokens: written,
    },
  }
}
