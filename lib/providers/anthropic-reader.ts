import type { ReasoningBlock } from '@/lib/protocol/message'
import type { FinishReason } from '@/lib/protocol/model-event'
import { checkWire } from './connection-advice'
import { type JsonObject, objectAt, parseObject, textAt } from './json-value'
import { WireFailure } from './provider-error'
import { createSseParser, type ServerSentEvent } from './sse'
import type { WireReader } from './stream-turn'
import { tokenCount, usageOf } from './token-count'
import { addArguments, addCall, addReasoning, addText, type GrowingCall, type Turn } from './turn'
import { errorEvent, eventObject } from './wire-event'

type OpenBlock =
  | { type: 'text' }
  | { type: 'thinking'; block: ReasoningBlock }
  | { type: 'tool-use'; call: GrowingCall; input: JsonObject }
  | { type: 'other' }

type Reading = {
  turn: Turn
  open: Map<unknown, OpenBlock>
  usage: Map<(typeof figures)[number], number | null>
}

/** Reads a Messages stream into a turn. */
export function readAnthropic(turn: Turn): WireReader {
  const parser = createSseParser()
  const reading: Reading = { turn, open: new Map(), usage: new Map() }
  return {
    push: (bytes) => {
      for (const event of parser.push(bytes)) readEvent(reading, event)
    },
    end: () => {
      for (const event of parser.end()) if (parseObject(event.data)) readEvent(reading, event)
    },
  }
}

function readEvent(reading: Reading, { event, data }: ServerSentEvent): void {
  const { turn } = reading
  if (turn.closed || data.trim() === '') return
  const body = eventObject(data)
  switch (textAt(body, 'type') || event) {
    case 'message_start':
      readUsage(reading, objectAt(objectAt(body, 'message'), 'usage'), false)
      return
    case 'content_block_start':
      openBlock(reading, body)
      return
    case 'content_block_delta':
      growBlock(reading, body)
      return
    case 'content_block_stop':
      closeBlock(reading, body.index)
      return
    case 'message_delta':
      readUsage(reading, objectAt(body, 'usage'), true)
      readStopReason(turn, textAt(objectAt(body, 'delta'), 'stop_reason'))
      return
    case 'message_stop':
      turn.finishReason ??= 'stop'
      turn.closed = true
      return
    case 'error':
      throw errorEvent(body.error ?? body)
    default:
      // `ping` and kinds of events that came after this was written.
      return
  }
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

function readStopReason(turn: Turn, reason: string): void {
  if (reason !== '') turn.finishReason = finishReasons.get(reason) ?? 'stop'
}

function openBlock({ turn, open }: Reading, body: JsonObject): void {
  const block = objectAt(body, 'content_block')
  switch (textAt(block, 'type')) {
    case 'text':
      open.set(body.index, { type: 'text' })
      addText(turn, textAt(block, 'text'))
      return
    case 'thinking': {
      const thinking = startReasoning(turn, textAt(block, 'signature') || null)
      open.set(body.index, { type: 'thinking', block: thinking })
      addReasoning(turn, thinking, textAt(block, 'thinking'))
      return
    }
    case 'redacted_thinking':
      turn.reasoning.push({ text: '', signature: textAt(block, 'data'), redacted: true })
      open.set(body.index, { type: 'other' })
      return
    case 'tool_use': {
      const call = addCall(turn, textAt(block, 'id') || null, textAt(block, 'name'))
      open.set(body.index, { type: 'tool-use', call, input: objectAt(block, 'input') })
      return
    }
    default:
      open.set(body.index, { type: 'other' })
      return
  }
}

function startReasoning(turn: Turn, signature: string | null): ReasoningBlock {
  const block: ReasoningBlock = { text: '', signature, redacted: false }
  turn.reasoning.push(block)
  return block
}

function growBlock({ turn, open }: Reading, body: JsonObject): void {
  const delta = objectAt(body, 'delta')
  const block = open.get(body.index)
  if (!block) throw outOfOrder(body)
  switch (block.type) {
    case 'text':
      addText(turn, textAt(delta, 'text'))
      return
    case 'thinking':
      if (delta.type === 'signature_delta') {
        block.block.signature = (block.block.signature ?? '') + textAt(delta, 'signature')
      }
      addReasoning(turn, block.block, textAt(delta, 'thinking'))
      return
    case 'tool-use':
      addFragment(turn, block.call, textAt(delta, 'partial_json'))
      return
    case 'other':
      return
    default:
      block satisfies never
  }
}

function addFragment(turn: Turn, call: GrowingCall, fragment: string): void {
  if (fragment !== '') addArguments(turn, call, fragment)
}

/** Some servers give the whole input at the start of the block and no pieces. */
function closeBlock({ turn, open }: Reading, index: unknown): void {
  const block = open.get(index)
  open.delete(index)
  if (block?.type !== 'tool-use') return
  block.call.whole = true
  if (block.call.argumentsText === '' && Object.keys(block.input).length > 0) {
    addArguments(turn, block.call, JSON.stringify(block.input))
  }
}

function outOfOrder(body: JsonObject): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The provider sent its answer out of order. Try again. ${checkWire}`,
    { received: body },
  )
}

const figures = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/**
 * Figures come in two events, the later ones cumulative; the first one cannot know the output yet. Cache reads and
 * writes are beside the input here.
 */
function readUsage(reading: Reading, usage: JsonObject, final: boolean): void {
  const known = reading.usage
  for (const name of figures) known.set(name, tokenCount(usage[name]) ?? known.get(name) ?? null)
  const thinking = tokenCount(objectAt(usage, 'output_tokens_details').thinking_tokens)
  const [fresh, output, read, written] = figures.map((name) => known.get(name) ?? null)
  if (fresh == null || output == null) return
  const cached = read ?? 0
  const cacheWrite = written ?? 0
  const input = fresh + cached + cacheWrite
  const counted = usageOf({ input, output, cached, cacheWrite, reasoning: thinking ?? 0 })
  const isFinal = final && tokenCount(usage.output_tokens) !== null
  reading.turn.usage = { ...counted, estimated: counted.estimated || !isFinal }
}
