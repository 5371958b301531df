import type { ParsedJson } from '@/lib/protocol/json-text'
import type { FinishReason, ReasoningBlock } from '@/lib/protocol/message'
import { reasoningFieldNames, reasoningSignature } from './chat-completions-request'
import { createChatNative } from './chat-native'
import { isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from './json-value'
import { WireFailure } from './provider-error'
import type { ServerSentEvent } from './read-events'
import { eventReader } from './read-events'
import type { WireReader } from './stream-turn'
import { createThinkSplitter } from './think-tags'
import { readChatUsage } from './token-count'
import { argumentsIn } from './tool-schema'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  endTurn,
  type GrowingCall,
  type Turn,
  unknownEnd,
} from './turn'
import { errorEvent, eventObject } from './wire-event'

type Reading = {
  turn: Turn
  /** What is being read. */
  chunk: ParsedJson
  think: ReturnType<typeof createThinkSplitter>
  native: ReturnType<typeof createChatNative>
  /** The call of the field that came before `tool_calls`. */
  legacyCall: GrowingCall | null
  refused: boolean
  /** Whether the end marker came. */
  done: boolean
  /** Whether an empty reason ends an answer of whole calls. */
  emptyReason: boolean
}

/** What a server is known to do that would be a fault elsewhere. */
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
    event: (event) => readEvent(reading, event),
    // What the end of the stream left unfinished counts only when it is whole.
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
  const { turn, native } = reading
  const delta = isObject(choice.delta) ? choice.delta : objectAt(choice, 'message')
  native.readDelta(delta)
  readReasoning(turn, delta)
  readContent(reading, delta)
  readRefusal(reading, textAt(delta, 'refusal'))
  if (Array.isArray(delta.tool_calls)) {
    for (const fragment of delta.tool_calls) {
      if (isObject(fragment)) native.readCall(readCall(reading, fragment), fragment)
    }
  }
  if (isObject(delta.function_call)) readLegacyCall(reading, delta.function_call)
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

/** What says that an answer is not whole is believed in capitals, too, as Google writes it. */
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

function readCall({ turn, chunk }: Reading, fragment: JsonObject): GrowingCall {
  const asked = objectAt(fragment, 'function')
  const name = textAt(asked, 'name')
  const text = argumentsIn(chunk, asked.arguments)
  const id = textAt(fragment, 'id') || null
  const place = { index: wireIndex(fragment), id, name, text }
  const call = findCall(turn, place) ?? startCall(turn, fragment, id, name)
  call.id ??= id
  growCall(turn, call, name, text)
  return call
}

/** Reads the one call, without an id, in the old field for function calls. */
function readLegacyCall(reading: Reading, asked: JsonObject): void {
  const name = textAt(asked, 'name')
  const text = argumentsIn(reading.chunk, asked.arguments)
  if (name === '' && text === '') return
  reading.legacyCall ??= addCall(reading.turn, null, name)
  growCall(reading.turn, reading.legacyCall, name, text)
}

/**
 * Adds a fragment to a call. Names arrive whole, in pieces, or again with every fragment; pieces of a name arrive
 * before the arguments, a whole one may come after them.
 */
function growCall(turn: Turn, call: GrowingCall, name: string, text: string): void {
  const isOpen = call.argumentsText === '' || call.name === ''
  if (name !== '' && name !== call.name && isOpen) {
    call.name = name.startsWith(call.name) ? name : call.name + name
    addArguments(turn, call, '')
  }
  if (text !== '') addArguments(turn, call, text)
}

/** Returns the index that a server gave to a call, which may differ from its place; null when it gave none. */
function wireIndex(fragment: JsonObject): number | null {
  return typeof fragment.index === 'number' ? fragment.index : null
}

const indexOfCall = new WeakMap<GrowingCall, number>()

type Place = { index: number | null; id: string | null; name: string; text: string }

/**
 * Returns the call that a fragment continues. Some servers number no call, some give every call the index 0, with or
 * without ids, some repeat id and name in every fragment. A new id with a name is a new call.
 */
function findCall(turn: Turn, { index, id, name, text }: Place) {
  const calls = turn.calls
  const sameId = id === null ? undefined : calls.find((call) => call.id === id)
  if (index === null && sameId) return startsAnew(sameId, name, text) ? undefined : sameId
  const last = calls.at(-1)
  const continuesLast = name === '' || (id === null && last?.name === '')
  if (index === null) return continuesLast ? last : undefined
  const sameIndex = calls.findLast((call) => indexOfCall.get(call) === index)
  if (!sameIndex) {
    // Some servers give what follows the head of a call the next index.
    const begun = sameId ?? (id === null && name === '' ? last : undefined)
    return begun && isIncomplete(begun) ? begun : undefined
  }
  if (name === '') return sameIndex
  if (id !== null && sameIndex.id !== null && sameIndex.id !== id) return undefined
  return startsAnew(sameIndex, name, text) ? undefined : sameIndex
}

function isIncomplete({ argumentsText }: GrowingCall): boolean {
  return parseObject(argumentsText) === null
}

/**
 * Returns whether a fragment with a name begins a new call: the call before has all its arguments, and the fragment does
 * not only repeat its name.
 */
function startsAnew(call: GrowingCall, name: string, text: string): boolean {
  const isNext = text.trim() !== '' || name !== call.name
  return name !== '' && call.name !== '' && isNext && !isIncomplete(call)
}

function startCall(turn: Turn, fragment: JsonObject, id: string | null, name: string): GrowingCall {
  const call = addCall(turn, id, name)
  const index = wireIndex(fragment)
  if (index !== null) indexOfCall.set(call, index)
  return call
}
