export const event = (type: string, body: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`

export const start = (message: object = {}) =>
  event('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      usage: { input_tokens: 9, output_tokens: 1 },
      ...message,
    },
  })

/** Returns the events of a block and its pieces. */
export const block = (index: number, content_block: object, ...deltas: object[]) =>
  [
    event('content_block_start', { index, content_block }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ].join('')

export const ended = (stop_reason: string | null) =>
  event('message_delta', { delta: { stop_reason }, usage: { output_tokens: 4 } })
export const stop = event('message_stop', {})

export const text = (index: number, words: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text: words })
export const use = (index: number, id: string, name: string, more: object = {}) =>
  block(
    index,
    { type: 'tool_use', id, name, input: {}, ...more },
    {
      type: 'input_json_delta',
      partial_json: '{"limit":1}',
    },
  )
export const think = (index: number, words: string, signature: string) =>
  block(
    index,
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: words },
    { type: 'signature_delta', signature },
  )
