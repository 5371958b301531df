import { checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { EndFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import type { ServerSentEvent } from '@/lib/engines/providers/http/read-events'
import { eventReader } from '@/lib/engines/providers/http/read-events'
import { errorEvent, eventObject } from '@/lib/engines/providers/http/wire-event'
import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsIn } from '@/lib/engines/providers/request/tool-schema'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { createUsageReader } from '@/lib/engines/providers/turn/token-count'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  endTurn,
  type GrowingCall,
  type Turn,
  unknownEnd,
} from '@/lib/engines/providers/turn/turn'
import type { FinishReason, ReasoningBlock } from '@/lib/protocol/model/message'
import type { ParsedJson } from '@/lib/words/json-text'
import {
  endNativeInput,
  growNative,
  isDirect,
  type NativeBlock,
  nativeContent,
} from './anthropic-native'

type OpenBlock = { native: NativeBlock } & (
  | { type: 'text' }
  | { type: 'thinking'; block: ReasoningBlock }
  | { type: 'tool-use'; call: GrowingCall; inputText: string }
  | { type: 'other'; inputText: string }
)

type Reading = {
  turn: Turn
  /** The event that is being read. */
  event: ParsedJson
  open: Map<unknown, OpenBlock>
  /** Every block as it came, in order. */
  blocks: NativeBlock[]
  /** Number of blocks at the start of the stream, and the stop reason given there. */
  given: number
  givenReason: string
  usage: ReturnType<typeof createUsageReader>
}

/** Reads an answer of the Messages API into a turn. */
export function readAnthropic(turn: Turn): WireReader {
  const reading: Reading = {
    turn,
    event: { text: '', value: {} },
    open: new Map(),
    blocks: [],
    given: 0,
    givenReason: '',
    usage: createUsageReader(turn),
  }
  turn.native = (finish) => nativeContent(reading.blocks, finish)
  return eventReader({
    turn,
    count: (body) => countEvent(reading, body),
    event: (event) => readEvent(reading, event),
    rest: (event) => {
      if (parseObject(event.data)) readEvent(reading, event)
    },
    whole: (answer, text) => {
      reading.event = { text, value: answer }
      if (answer.type === 'error' || isObject(answer.error)) throw errorEvent(answer.error)
      readMessage(reading, answer, true)
      endMessage(reading)
    },
  })
}

function readEvent(reading: Reading, { event, data }: ServerSentEvent): void {
  const { turn } = reading
  if (turn.closed || data.trim() === '') return
  const body = eventObject(data)
  reading.event = { text: data, value: body }
  switch (textAt(body, 'type') || event) {
    case 'message_start':
      readMessage(reading, objectAt(body, 'message'), false)
      return
    case 'content_block_start':
      if (typeof body.index === 'number' && body.index < reading.given) throw outOfOrder(body)
      openBlock(reading, body)
      return
    case 'content_block_delta':
      growBlock(reading, body)
      return
    case 'content_block_stop':
      closeBlock(reading, body.index)
      return
    case 'message_delta':
      reading.usage(objectAt(body, 'usage'), true)
      readStopReason(turn, textAt(objectAt(body, 'delta'), 'stop_reason'))
      return
    case 'message_stop':
      endMessage(reading)
      return
    case 'error':
      throw errorEvent(body.error ?? body)
    default:
      // `ping` and kinds of events that came after this was written.
      return
  }
}

/** Reads the usage, which the message at the beginning has, and each later event beside it. */
function countEvent(reading: Reading, body: JsonObject): void {
  const isStart = isObject(body.message)
  const { usage } = isStart ? objectAt(body, 'message') : body
  if (isObject(usage)) reading.usage(usage, !isStart)
}

/** Reads the message with which a stream begins. It may already have content, or be the whole answer. */
function readMessage(reading: Reading, message: JsonObject, final: boolean): void {
  reading.usage(objectAt(message, 'usage'), final)
  for (const [index, content_block] of listAt(message, 'content').entries()) {
    // An empty text block in message_start is a placeholder. content_block_start opens the block itself.
    if (!final && isObject(content_block) && content_block.text === '') continue
    openBlock(reading, { index, content_block })
    closeBlock(reading, index)
    if (!final) reading.given = index + 1
  }
  reading.givenReason = textAt(message, 'stop_reason')
}

/** Ends the message. An answer without a reason counts as cut off (SPEC R10). */
function endMessage({ turn, blocks, givenReason }: Reading): void {
  turn.closed = true
  if (turn.finishReason === null) readStopReason(turn, givenReason)
  const isGood = turn.finishReason === 'stop' || turn.finishReason === 'tool-calls'
  const unknown = blocks.filter(({ type }) => !shownKinds.has(type))
  if (isGood && turn.text.trim() === '' && turn.calls.length === 0 && unknown.length > 0) {
    throw notShown(unknown)
  }
}

const shownKinds: ReadonlySet<unknown> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
])

/** Only these words, as they are written here, mean that an answer is whole. */
const goodReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
])

const badReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content-filter'],
])

function readStopReason(turn: Turn, reason: string): void {
  if (reason === '') return
  if (reason === 'pause_turn') throw paused()
  const known = goodReasons.get(reason) ?? badReasons.get(reason.toLowerCase())
  if (!known) throw unknownEnd(reason)
  endTurn(turn, known)
}

function openBlock(reading: Reading, body: JsonObject): void {
  const { turn, open, blocks } = reading
  const block = objectAt(body, 'content_block')
  const native: NativeBlock = { ...block }
  blocks.push(native)
  switch (textAt(block, 'type')) {
    case 'text':
      open.set(body.index, { type: 'text', native })
      addText(turn, textAt(block, 'text'))
      return
    case 'thinking': {
      const thinking = startReasoning(turn)
      open.set(body.index, { type: 'thinking', block: thinking, native })
      addReasoning(turn, thinking, textAt(block, 'thinking'))
      return
    }
    case 'redacted_thinking':
      turn.reasoning.push({ text: '', signature: null, redacted: true })
      open.set(body.index, { type: 'other', inputText: '', native })
      return
    case 'tool_use': {
      if (!isDirect(block.caller)) throw calledByProgram(block)
      const call = addCall(turn, textAt(block, 'id') || null, textAt(block, 'name'))
      const isGiven = Object.keys(objectAt(block, 'input')).length > 0
      const inputText = isGiven ? argumentsIn(reading.event, block.input) : ''
      open.set(body.index, { type: 'tool-use', call, inputText, native })
      return
    }
    case 'server_tool_use':
      addReasoning(turn, startReasoning(turn), ranItself(textAt(block, 'name')))
      open.set(body.index, { type: 'other', inputText: '', native })
      return
    default:
      open.set(body.index, { type: 'other', inputText: '', native })
      return
  }
}

/** Returns the note of the trace that the provider ran a tool. */
function ranItself(name: string): string {
  const isName = /^\w{1,64}$/.test(name)
  return `The provider ran a tool of its own${isName ? `: ${name}` : ''}.`
}

function startReasoning(turn: Turn): ReasoningBlock {
  const block: ReasoningBlock = { text: '', signature: null, redacted: false }
  turn.reasoning.push(block)
  return block
}

function growBlock({ turn, open }: Reading, body: JsonObject): void {
  const delta = objectAt(body, 'delta')
  const block = open.get(body.index)
  if (!block) throw outOfOrder(body)
  growNative(block.native, delta)
  switch (block.type) {
    case 'text':
      addText(turn, textAt(delta, 'text'))
      return
    case 'thinking':
      addReasoning(turn, block.block, textAt(delta, 'thinking'))
      return
    case 'tool-use':
      addFragment(turn, block.call, textAt(delta, 'partial_json'))
      return
    case 'other':
      block.inputText += textAt(delta, 'partial_json')
      return
    default:
      block satisfies never
  }
}

function addFragment(turn: Turn, call: GrowingCall, fragment: string): void {
  if (fragment !== '') addArguments(turn, call, fragment)
}

/** Closes the block. Some servers send the whole input at the start of the block and no pieces. */
function closeBlock({ turn, open }: Reading, index: unknown): void {
  const block = open.get(index)
  open.delete(index)
  if (block?.type === 'other') endNativeInput(block.native, block.inputText)
  if (block?.type !== 'tool-use') return
  block.call.whole = true
  if (block.call.argumentsText === '') addFragment(turn, block.call, block.inputText)
  endNativeInput(block.native, block.call.argumentsText)
}

function paused(): WireFailure {
  return new EndFailure(
    'invalid-response',
    'The provider paused its answer to go on in another request. It does so for tools that it runs itself, which Toolgate does not continue. Run it again without such tools.',
    { reason: 'pause_turn' },
  )
}

function calledByProgram(block: JsonObject): WireFailure {
  return new WireFailure(
    'invalid-response',
    'A program that the provider runs asked for a tool. Toolgate runs only calls that the model itself makes. Remove code execution from the extra fields of the request.',
    { received: block },
  )
}

function notShown(blocks: readonly NativeBlock[]): WireFailure {
  return new WireFailure(
    'invalid-response',
    'The provider answered only with parts of tools that it runs itself, which Toolgate cannot show. Run it again without such tools.',
    { received: blocks.slice(0, 5) },
  )
}

function outOfOrder(body: JsonObject): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The provider sent its answer out of order. Try again. ${checkWire}`,
    { received: body },
  )
}
