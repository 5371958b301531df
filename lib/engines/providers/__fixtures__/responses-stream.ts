import type { Json } from '@/tests/support/strict-providers/strict-provider'

/** Returns events as OpenAI sends them, with their names. */
export function responsesEvents(...events: [type: string, body: object][]): string {
  return events
    .map(([type, body]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`)
    .join('')
}

/** Returns a response of these items as a stream: each item begins, arrives in pieces and ends. */
export function responsesStream(output: readonly Json[], more: object = {}): string {
  const response = { id: 'resp_1', object: 'response', store: false, error: null }
  const usage = { input_tokens: 90, output_tokens: 40, total_tokens: 130 }
  const events = output.flatMap((item, output_index): [string, object][] => [
    ['response.output_item.added', { output_index, item: begun(item) }],
    ...piecesOf(item, { output_index, item_id: item.id }),
    ['response.output_item.done', { output_index, item }],
  ])
  return responsesEvents(
    ['response.created', { response: { ...response, status: 'in_progress', output: [] } }],
    ...events,
    [
      'response.completed',
      { response: { ...response, status: 'completed', output, usage, ...more } },
    ],
  )
}

function begun(item: Json): Json {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' }
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  return { ...item, summary: [], encrypted_content: 'gAAA' }
}

function piecesOf(item: Json, at: object): [string, object][] {
  if (item.type === 'function_call') {
    const text = String(item.arguments)
    return [
      ['response.function_call_arguments.delta', { ...at, delta: text.slice(0, 3) }],
      ['response.function_call_arguments.delta', { ...at, delta: text.slice(3) }],
      ['response.function_call_arguments.done', { ...at, arguments: text }],
    ]
  }
  const [kind, index, parts] =
    item.type === 'message'
      ? (['output_text', 'content_index', item.content] as const)
      : (['reasoning_summary_text', 'summary_index', item.summary] as const)
  return (parts as Json[]).flatMap(({ text }, part): [string, object][] => [
    [`response.${kind}.delta`, { ...at, [index]: part, delta: text }],
    [`response.${kind}.done`, { ...at, [index]: part, text }],
  ])
}
