import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
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
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { createThinkSplitter } from '@/lib/engines/providers/turn/think-tags'
import { readChatUsage } from '@/lib/engines/providers/turn/token-count'
import {
  addReasoning,
  addText,
  endTurn,
  type GrowingCall,
  type Turn,
  unknownEnd,
} from '@/lib/engines/providers/turn/turn'
import type { FinishReason, ReasoningBlock } from '@/lib/protocol/model/message'
import type { ParsedJson } from '@/lib/words/json-text'
import { isIncomplete, readCall, readLegacyCall } from './chat-calls'
import { reasoningFieldNames, reasoningSignature } from './chat-completions-request'
import { createChatNative } from './chat-native'

type Reading = {
  turn: Turn
  /** The chunk that is being read. */
  chunk: ParsedJson
  think: ReturnType<typeof createThinkSplitter>
  native: ReturnType<typeof createChatNative>
  /** The call of the field that came before `tool_calls`. */
  legacyCall: GrowingCall | null
  refused: boolean
  /** The end marker has arrived. */
  done: boolean
  /** An empty finish reason ends an answer whose calls are whole. */
  emptyReason: boolean
}

/** Deviations that are expected of this server and are errors elsewhere. */
type Liberties = {
  /** True = it ends an answer of whole calls with an empty reason. */
  emptyReason?: boolean
}

/** Reads a Chat Completions answer into a turn, with the liberties that compatible servers take. */
export function readChatCompletions(
  turn: Turn,
  { emptyReason = false }: Liberties = {},
): WireReader {
  const native = createChatNative()
  const think = createThinkSplitter({
    text: (text) => addText(turn, text),
    thought: (text) => addReasoning(turn, reasoningBlock(turn, null), text),
  })
  const chunk = { text: '', value: {} }
  const none = { legacyCall: null, refused: false, done: false }
  const reading: Reading = { turn, chunk, think, native, emptyReason, ...none }
  turn.native = (finish) => native.message(finish, turn.calls, think.raw())
  const events = eventReader({
    turn,
    count: (chunk) => {
      turn.usage = readChatUsage(chunk) ?? turn.usage
    },
    event: (event) => readEvent(reading, event),
    // An unfinished last event counts only if its JSON is whole.
    rest: (event) => {
      if (isDone(event.data) || parseObject(event.data)) readEvent(reading, event)
    },
    whole: (answer, text) => {
      reading.chunk = { text, value: answer }
      readChunk(reading, answer)
      endWithoutReason(reading)
      end(reading)
      turn.closed = true
    },
  })
  return {
    push: events.push,
    end: () => {
      events.end()
      end(reading)
    },
  }
}

function end({ turn, think, native }: Reading): void {
  think.flush()
  native.nameCalls(turn.calls)
  for (const call of turn.calls) call.whole = turn.finishReason !== null
}

/** Ends an answer of whole calls without a reason, on connections whose server is known to give none. */
function endWithoutReason({ turn, emptyReason }: Reading): void {
  if (!emptyReason || turn.finishReason !== null || turn.calls.length === 0) return
  const isWhole = turn.calls.every((call) => call.argumentsText === '' || !isIncomplete(call))
  if (isWhole) endTurn(turn, 'tool-calls')
}

function isDone(data: string): boolean {
  return data.trim() === '[DONE]'
}

/** Reads one event. The end marker ends the stream, but only a finish reason says how the answer ended. */
function readEvent(reading: Reading, { event, data }: ServerSentEvent): void {
  const { turn } = reading
  if (turn.closed || data.trim() === '') return
  if (isDone(data)) {
    endWithoutReason(reading)
    end(reading)
    reading.done = true
    // Some servers count only after the end marker.
    turn.closed = turn.usage !== null || turn.finishReason === null
    return
  }
  if (reading.done) {
    readLateUsage(reading, data)
    return
  }
  const chunk = eventObject(data)
  reading.chunk = { text: data, value: chunk }
  readChunk(reading, chunk, event)
}

/** Reads what follows the end marker: only token counts. */
function readLateUsage({ turn }: Reading, data: string): void {
  const usage = readChatUsage(parseObject(data) ?? {})
  if (usage === null) return
  turn.usage = usage
  turn.closed = true
}

function readChunk(reading: Reading, chunk: JsonObject, event = ''): void {
  const usage = readChatUsage(chunk)
  if (usage) reading.turn.usage = usage
  const error = chunk.error ?? objectAt(chunk, 'x_groq').error ?? null
  if (event === 'error' || chunk.object === 'error' || error !== null) {
    throw errorEvent(error ?? chunk)
  }
  for (const choice of listAt(chunk, 'choices')) {
    if (isObject(choice) && (choice.index ?? 0) === 0) readChoice(reading, choice)
  }
}

function readChoice(reading: Reading, choice: JsonObject): void {
  const { turn, native, chunk } = reading
  const delta = isObject(choice.delta) ? choice.delta : objectAt(choice, 'message')
  native.readDelta(delta)
  readReasoning(turn, delta)
  readContent(reading, delta)
  readRefusal(reading, textAt(delta, 'refusal'))
  if (Array.isArray(delta.tool_calls)) {
    for (const fragment of delta.tool_calls) {
      if (isObject(fragment)) native.readCall(readCall(turn, chunk, fragment), fragment)
    }
  }
  if (isObject(delta.function_call)) {
    reading.legacyCall = readLegacyCall(turn, chunk, delta.function_call, reading.legacyCall)
  }
  const reason = textAt(choice, 'finish_reason')
  if (reason !== '') finish(reading, reason, choice)
}

/** Only these words, as they are written here, mean that an answer is whole. */
const goodReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
])

/** Reasons for an incomplete answer. They are matched in capitals, too, because Google writes them so. */
const badReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content-filter'],
  ['safety', 'content-filter'],
  ['recitation', 'content-filter'],
  ['prohibited_content', 'content-filter'],
  ['sensitive', 'content-filter'],
])

function finish(reading: Reading, reason: string, choice: JsonObject): void {
  const { turn, refused } = reading
  if (reason === 'error') throw errorEvent(choice)
  if (reason === 'insufficient_system_resource') throw overloaded(reason)
  const good = goodReasons.get(reason)
  const known = good && refused ? 'content-filter' : (good ?? badReasons.get(reason.toLowerCase()))
  if (!known) throw unknownEnd(reason)
  endTurn(turn, known)
  end(reading)
}

function overloaded(reason: string): WireFailure {
  return new WireFailure(
    'overloaded',
    'The provider ran out of capacity in the middle of its answer. Try again later, or add a fallback model to the configuration.',
    { reason },
  )
}

function readRefusal(reading: Reading, refusal: string): void {
  if (refusal === '') return
  reading.refused = true
  addText(reading.turn, refusal)
}

function readReasoning(turn: Turn, delta: JsonObject): void {
  for (const field of reasoningFieldNames) {
    const text = textAt(delta, field)
    // An empty one goes back, too, to servers that refuse an answer without it.
    if (text === '') {
      if (delta[field] === '' && field === 'reasoning_content') {
        reasoningBlock(turn, reasoningSignature(field))
      }
      continue
    }
    addReasoning(turn, reasoningBlock(turn, reasoningSignature(field)), text)
    return
  }
  if (!Array.isArray(delta.reasoning_details)) return
  for (const detail of delta.reasoning_details) {
    if (!isObject(detail)) continue
    const text = textAt(detail, 'text') || textAt(detail, 'summary')
    addReasoning(turn, reasoningBlock(turn, null), text)
  }
}

function reasoningBlock(turn: Turn, signature: string | null): ReasoningBlock {
  const known = turn.reasoning.find((block) => block.signature === signature)
  if (known) return known
  const block: ReasoningBlock = { text: '', signature, redacted: false }
  turn.reasoning.push(block)
  return block
}

/**
 * Reads content, which is text that may begin with reasoning in tags, or a list of parts of which some are reasoning.
 */
function readContent(reading: Reading, delta: JsonObject): void {
  const { turn, think } = reading
  const { content } = delta
  if (typeof content === 'string') {
    if (isThought(delta)) addReasoning(turn, reasoningBlock(turn, null), content)
    else think.push(content)
  }
  if (!Array.isArray(content)) return
  for (const part of content) {
    if (!isObject(part)) continue
    if (isThought(part)) addReasoning(turn, reasoningBlock(turn, null), textAt(part, 'text'))
    else if (part.type === 'thinking') readThinking(turn, part.thinking)
    else if (part.type === 'refusal') readRefusal(reading, textAt(part, 'refusal'))
    else addText(turn, textAt(part, 'text'))
  }
}

/** Returns whether Gemini marked the content as reasoning. */
function isThought(content: JsonObject): boolean {
  const marked = objectAt(objectAt(content, 'extra_content'), 'google')
  return content.thought === true || marked.thought === true
}

function readThinking(turn: Turn, thinking: unknown): void {
  const parts = Array.isArray(thinking) ? thinking : [{ text: thinking }]
  for (const part of parts) {
    if (!isObject(part)) continue
    addReasoning(turn, reasoningBlock(turn, null), textAt(part, 'text'))
  }
}
