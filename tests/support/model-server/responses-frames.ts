import { createHash } from 'node:crypto'
import { argumentPieces, type ServedAnswer } from './scripted-turn'

type Item = Record<string, unknown>

/**
 * Returns what stands for the real server's encrypted reasoning: a digest of the item's id and summary. So a changed
 * item, or one with another item's reasoning, is noticed without any state.
 */
export function sealReasoning(id: string, summary: string): string {
  return `sealed-${createHash('sha256').update(`${id}\n${summary}`).digest('hex')}`
}

/**
 * Returns a Responses stream with the events and fields that the `openai` package 6.49.0 types for it. One string is
 * one piece of the body: a delta with the events before it; the last piece has the rest. `encrypted` = the request
 * asked for encrypted reasoning, so every answer reasons, as those models do.
 */
export function responsesFrames(answer: ServedAnswer, encrypted: boolean): string[] {
  const pieces: string[] = []
  let piece = ''
  let sequence_number = 0
  const frame = (type: string, body: object) => {
    piece += `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...body })}\n\n`
    if (!type.endsWith('.delta')) return
    pieces.push(piece)
    piece = ''
  }
  const head = {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 1_760_000_000,
    model: answer.model,
    store: false,
    error: null,
  }
  const running = { ...head, status: 'in_progress', output: [], usage: null }
  frame('response.created', { response: { ...running, incomplete_details: null } })
  const output: Item[] = []
  const emit = (item: Item, opened: Item, body: (place: { item_id: unknown }) => void) => {
    const output_index = output.length
    frame('response.output_item.added', { output_index, item: opened })
    body(Object.assign({ output_index }, { item_id: item.id }))
    frame('response.output_item.done', { output_index, item })
    output.push(item)
  }
  if (encrypted || answer.reasoning.length > 0) emitReasoning(answer, encrypted, emit, frame)
  if (answer.text.length > 0 || answer.calls.length === 0) emitMessage(answer, emit, frame)
  emitCalls(answer, output.length > 0 && encrypted, emit, frame)

  const reason = { length: 'max_output_tokens', 'content-filter': 'content_filter' }[
    answer.finish as string
  ]
  const status = reason === undefined ? 'completed' : 'incomplete'
  const incomplete_details = reason === undefined ? null : { reason }
  const usage = answer.usage && wireUsage(answer.usage)
  frame(`response.${status}`, { response: { ...head, status, incomplete_details, output, usage } })
  return [...pieces, piece]
}

type Emit = (item: Item, opened: Item, body: (place: { item_id: unknown }) => void) => void
type Frame = (type: string, body: object) => void

function emitReasoning(answer: ServedAnswer, encrypted: boolean, emit: Emit, frame: Frame): void {
  const text = answer.reasoning.join('')
  const id = `rs_${answer.id}`
  const summary = text === '' ? [] : [{ type: 'summary_text', text }]
  const sealed = encrypted ? { encrypted_content: sealReasoning(id, text) } : {}
  const opened = {
    id,
    type: 'reasoning',
    ...(encrypted && { encrypted_content: 'x' }),
    summary: [],
  }
  emit({ id, type: 'reasoning', ...sealed, summary }, opened, (place) => {
    if (text === '') return
    const at = { ...place, summary_index: 0 }
    const empty = { type: 'summary_text', text: '' }
    frame('response.reasoning_summary_part.added', { ...at, part: empty })
    for (const delta of answer.reasoning)
      frame('response.reasoning_summary_text.delta', { ...at, delta })
    frame('response.reasoning_summary_text.done', { ...at, text })
    frame('response.reasoning_summary_part.done', { ...at, part: { ...empty, text } })
  })
}

function emitMessage(answer: ServedAnswer, emit: Emit, frame: Frame): void {
  const message = { id: `msg_${answer.id}`, type: 'message', role: 'assistant' }
  const part = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text })
  const text = answer.text.join('')
  const item = { ...message, status: 'completed', content: [part(text)] }
  emit(item, { ...message, status: 'in_progress', content: [] }, (place) => {
    const at = { ...place, content_index: 0 }
    frame('response.content_part.added', { ...at, part: part('') })
    for (const delta of answer.text)
      frame('response.output_text.delta', { ...at, delta, logprobs: [], obfuscation: 'aZ9' })
    frame('response.output_text.done', { ...at, text, logprobs: [] })
    frame('response.content_part.done', { ...at, part: part(text) })
  })
}

/** Adds the calls. The id of a call says whether it follows reasoning, without which it is refused later. */
function emitCalls(answer: ServedAnswer, reasoned: boolean, emit: Emit, frame: Frame): void {
  for (const [index, call] of answer.calls.entries()) {
    const id = `fc_${answer.id}${reasoned ? '-reasoned' : ''}-${index}`
    const callId = call.id === null ? {} : { call_id: call.id }
    const item = { id, type: 'function_call', ...callId, name: call.name }
    const whole = { ...item, status: 'completed', arguments: call.argumentsText }
    emit(whole, { ...item, status: 'in_progress', arguments: '' }, (place) => {
      for (const delta of argumentPieces(call.argumentsText))
        frame('response.function_call_arguments.delta', { ...place, delta })
      const { name, argumentsText } = call
      const done = { ...place, name, arguments: argumentsText }
      frame('response.function_call_arguments.done', done)
    })
  }
}

function wireUsage(usage: NonNullable<ServedAnswer['usage']>) {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  }
}
