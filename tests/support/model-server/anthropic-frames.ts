import { argumentPieces, type ServedAnswer } from './scripted-turn'

const stopReasons = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
} as const

/** Returns the frames of a Messages stream, one string per event. */
export function anthropicFrames(answer: ServedAnswer): string[] {
  const frames: string[] = []
  const send = (type: string, body: object) =>
    void frames.push(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`)
  const usage = answer.usage
  const read = usage?.cachedInputTokens ?? 0
  const written = usage?.cacheWriteTokens ?? 0
  const started = {
    input_tokens: (usage?.inputTokens ?? 0) - read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: 1,
  }
  send('message_start', {
    message: {
      id: `msg_${answer.id}`,
      type: 'message',
      role: 'assistant',
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(usage ? { usage: started } : {}),
    },
  })
  sendBlocks(answer, send)
  const ended = usage && {
    output_tokens: usage.outputTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
  }
  send('message_delta', {
    delta: { stop_reason: stopReasons[answer.finish], stop_sequence: null },
    ...(ended ? { usage: ended } : {}),
  })
  send('message_stop', {})
  return frames
}

function sendBlocks(answer: ServedAnswer, send: (type: string, body: object) => void): void {
  let index = 0
  const block = (content_block: object, deltas: object[]) => {
    send('content_block_start', { index, content_block })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
    index += 1
  }
  if (answer.reasoning.length > 0) {
    const thinking = answer.reasoning.map((text) => ({ type: 'thinking_delta', thinking: text }))
    const signed = { type: 'signature_delta', signature: `signature-of-${answer.id}==` }
    block({ type: 'thinking', thinking: '', signature: '' }, [...thinking, signed])
  }
  send('ping', {})
  if (answer.text.length > 0) {
    block(
      { type: 'text', text: '' },
      answer.text.map((text) => ({ type: 'text_delta', text })),
    )
  }
  for (const call of answer.calls) {
    block(
      {
        type: 'tool_use',
        ...(call.id === null ? {} : { id: call.id }),
        name: call.name,
        input: {},
      },
      ['', ...argumentPieces(call.argumentsText)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    )
  }
}
