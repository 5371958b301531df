import { httpMeaning } from '@/lib/engines/providers/failures/http-meaning'
import { EndFailure, WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { eventObject } from '@/lib/engines/providers/http/wire-event'
import {
  isObject,
  type JsonObject,
  objectAt,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { countIn, servedTier, usageOf } from '@/lib/engines/providers/turn/token-count'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  endTurn,
  readOrCount,
  type Turn,
  unknownEnd,
} from '@/lib/engines/providers/turn/turn'
import type { FinishReason } from '@/lib/protocol/model/message'
import { type BedrockBlock, nativeContent } from './bedrock-native'
import { createEventStreamParser, type StreamMessage } from './event-stream'

type Reading = {
  turn: Turn
  blocks: Map<number, BedrockBlock>
}

/** Reads a stream of the Converse API into a turn. */
export function readBedrock(turn: Turn): WireReader {
  const parse = createEventStreamParser()
  const reading: Reading = { turn, blocks: new Map() }
  turn.native = (finish) => nativeContent([...reading.blocks.values()], finish)
  return {
    push: (bytes) => {
      for (const message of parse(bytes)) {
        readOrCount(
          turn,
          () => readMessage(reading, message),
          () => countMessage(turn, message),
        )
      }
    },
    // A message that was begun and not ended says nothing: its checksum is missing.
    end: () => undefined,
  }
}

function readMessage(reading: Reading, { headers, payload }: StreamMessage): void {
  if (reading.turn.closed) return
  const text = payload.toString('utf8')
  switch (headers.get(':message-type')) {
    case 'event':
      readEvent(reading, headers.get(':event-type') ?? '', text)
      return
    case 'exception':
      throw exception(headers.get(':exception-type') ?? '', text)
    case 'error':
      throw exception(
        headers.get(':error-code') ?? '',
        text || (headers.get(':error-message') ?? ''),
      )
    default:
      // Kinds of messages that came after this was written.
      return
  }
}

function countMessage(turn: Turn, { headers, payload }: StreamMessage): void {
  if (headers.get(':event-type') !== 'metadata') return
  readUsage(turn, parseObject(payload.toString('utf8')) ?? {})
}

function readEvent(reading: Reading, type: string, text: string): void {
  const { turn } = reading
  switch (type) {
    case 'contentBlockStart':
      startBlock(reading, eventObject(text))
      return
    case 'contentBlockDelta':
      growBlock(reading, eventObject(text))
      return
    case 'contentBlockStop':
      endBlock(reading, eventObject(text))
      return
    case 'messageStop':
      readStopReason(turn, textAt(eventObject(text), 'stopReason'))
      return
    case 'metadata':
      readUsage(turn, eventObject(text))
      // It comes last, behind the stop reason.
      turn.closed = turn.finishReason !== null
      return
    default:
      return
  }
}

/** Only these words, as they are written here, mean that an answer is whole. */
const stopReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filtered', 'content-filter'],
  ['guardrail_intervened', 'content-filter'],
])

const malformed = new Set(['malformed_model_output', 'malformed_tool_use'])

function readStopReason(turn: Turn, reason: string): void {
  const known = stopReasons.get(reason)
  if (!known) throw malformed.has(reason) ? unreadable(reason) : unknownEnd(reason)
  endTurn(turn, known)
}

function unreadable(reason: string): WireFailure {
  return new EndFailure(
    'invalid-response',
    'The model wrote something that Amazon Bedrock could not read as an answer. Try again, or pick another model.',
    { reason },
  )
}

function startBlock({ turn, blocks }: Reading, body: JsonObject): void {
  const start = objectAt(body, 'start')
  // Some models begin text so: the first piece says what the block is.
  if (Object.keys(start).length === 0) return
  const toolUse = objectAt(start, 'toolUse')
  const name = textAt(toolUse, 'name')
  // A tool that the provider runs by itself is none of ours.
  const isOurs = isObject(start.toolUse) && textAt(toolUse, 'type') === ''
  const index = indexOf(body)
  if (!isOurs) blocks.set(index, { type: 'other' })
  else {
    const call = addCall(turn, textAt(toolUse, 'toolUseId') || null, name)
    blocks.set(index, { type: 'tool-use', call })
  }
}

/** Blocks of text and of reasoning begin with their first piece. */
function growBlock(reading: Reading, body: JsonObject): void {
  const { turn } = reading
  const delta = objectAt(body, 'delta')
  const index = indexOf(body)
  if (typeof delta.text === 'string') {
    const block = blockAt(reading, index, () => ({ type: 'text' as const, text: '' }))
    if (block.type !== 'text') throw outOfOrder(body)
    block.text += delta.text
    addText(turn, delta.text)
  } else if (isObject(delta.toolUse)) {
    const block = reading.blocks.get(index)
    if (block?.type === 'other') return
    if (block?.type !== 'tool-use' || block.call.whole) throw outOfOrder(body)
    const input = textAt(delta.toolUse, 'input')
    if (input !== '') addArguments(turn, block.call, input)
  } else if (isObject(delta.reasoningContent)) {
    growReasoning(reading, index, delta.reasoningContent)
  } else if (!reading.blocks.has(index)) {
    reading.blocks.set(index, { type: 'other' })
  }
}

function growReasoning(reading: Reading, index: number, delta: JsonObject): void {
  const { turn } = reading
  const block = blockAt(reading, index, () => {
    turn.reasoning.push({ text: '', signature: null, redacted: false })
    return { type: 'reasoning' as const, text: '', signature: '', redacted: '' }
  })
  if (block.type !== 'reasoning') throw outOfOrder(delta)
  const shown = turn.reasoning.at(-1)
  if (!shown) return
  block.text += textAt(delta, 'text')
  addReasoning(turn, shown, textAt(delta, 'text'))
  block.signature += textAt(delta, 'signature')
  block.redacted = joinBase64(block.redacted, textAt(delta, 'redactedContent'))
  if (block.redacted !== '') shown.redacted = true
}

/** Joins two pieces, which are encoded one by one. */
function joinBase64(before: string, piece: string): string {
  if (before === '' || piece === '') return before + piece
  const bytes = [before, piece].map((text) => Buffer.from(text, 'base64'))
  return Buffer.concat(bytes).toString('base64')
}

function endBlock({ blocks }: Reading, body: JsonObject): void {
  const block = blocks.get(indexOf(body))
  if (block?.type === 'tool-use') block.call.whole = true
}

function blockAt(reading: Reading, index: number, create: () => BedrockBlock): BedrockBlock {
  const known = reading.blocks.get(index)
  if (known) return known
  const block = create()
  reading.blocks.set(index, block)
  return block
}

function indexOf(body: JsonObject): number {
  return typeof body.contentBlockIndex === 'number' ? body.contentBlockIndex : 0
}

function outOfOrder(body: JsonObject): WireFailure {
  return new WireFailure(
    'invalid-response',
    'The provider sent its answer out of order. Try again, or pick another model.',
    { received: body },
  )
}

/**
 * Reads the usage. Cache reads and writes are in addition to the input, unless the provider's own total shows that they
 * are part of it.
 */
function readUsage(turn: Turn, metadata: JsonObject): void {
  const usage = objectAt(metadata, 'usage')
  const input = countIn(usage.inputTokens)
  const output = countIn(usage.outputTokens)
  if (input === null || output === null) return
  const cached = countIn(usage.cacheReadInputTokens) ?? 0
  const cacheWrite = countIn(usage.cacheWriteInputTokens) ?? 0
  const isWithin = countIn(usage.totalTokens) === input + output && cached + cacheWrite <= input
  const counted = usageOf({
    input: isWithin ? input : input + cached + cacheWrite,
    output,
    cached,
    cacheWrite,
    reasoning: 0,
  })
  turn.usage = { ...counted, ...servedTier(objectAt(metadata, 'serviceTier').type) }
}

const statusOf: ReadonlyMap<string, number> = new Map([
  ['validationException', 400],
  ['throttlingException', 429],
  ['internalServerException', 500],
  ['modelStreamErrorException', 500],
  ['serviceUnavailableException', 503],
])

/** Returns a failure that is reported inside a stream. A model that broke off may succeed in the next try. */
function exception(type: string, text: string): WireFailure {
  const status = statusOf.get(type.charAt(0).toLowerCase() + type.slice(1)) ?? 500
  const { category, advice } = httpMeaning(status, text)
  const sentence = advice.replace(/ \(HTTP \d+\)/, '')
  return new WireFailure(category, sentence, {
    exception: type.slice(0, 200),
    received: parseObject(text) ?? text.slice(0, 2_000),
  })
}
