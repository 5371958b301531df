import type { ReasoningBlock } from '@/lib/protocol/message'
import type { FinishReason } from '@/lib/protocol/model-event'
import { reasoningFieldNames, reasoningSignature } from './chat-completions-request'
import { readChatUsage } from './chat-completions-usage'
import { isObject, type JsonObject, listAt, objectAt, parseObject, textAt } from './json-value'
import { createSseParser, type ServerSentEvent } from './sse'
import type { WireReader } from './stream-turn'
import { addArguments, addCall, addReasoning, addText, type GrowingCall, type Turn } from './turn'
import { errorEvent, eventObject } from './wire-event'

/** Reads a Chat Completions stream into a turn, with the liberties that compatible servers take. */
export function readChatCompletions(turn: Turn): WireReader {
  const parser = createSseParser()
  return {
    push: (bytes) => {
      for (const event of parser.push(bytes)) readEvent(turn, event)
    },
    end: () => {
      // What the end of the stream left unfinished counts only when it is whole.
      for (const event of parser.end()) {
        if (isDone(event.data) || parseObject(event.data)) readEvent(turn, event)
      }
      for (const call of turn.calls) call.whole = turn.finishReason !== null
    },
  }
}

function isDone(data: string): boolean {
  return data.trim() === '[DONE]'
}

function readEvent(turn: Turn, { event, data }: ServerSentEvent): void {
  if (turn.closed || data.trim() === '') return
  if (isDone(data)) {
    // Said nothing and gave no reason: that is no answer.
    if (turn.finishReason !== null || turn.shown) close(turn, turn.finishReason ?? 'stop')
    turn.closed = true
    return
  }
  const chunk = eventObject(data)
  if (event === 'error' || (chunk.error !== undefined && chunk.error !== null)) {
    throw errorEvent(chunk.error ?? chunk)
  }
  const usage = readChatUsage(chunk)
  if (usage) turn.usage = usage
  for (const choice of listAt(chunk, 'choices')) {
    if (isObject(choice) && (choice.index ?? 0) === 0) readChoice(turn, choice)
  }
}

function readChoice(turn: Turn, choice: JsonObject): void {
  const delta = isObject(choice.delta) ? choice.delta : objectAt(choice, 'message')
  readReasoning(turn, delta)
  readContent(turn, delta.content)
  addText(turn, textAt(delta, 'refusal'))
  for (const fragment of listAt(delta, 'tool_calls')) {
    if (isObject(fragment)) readCall(turn, fragment)
  }
  const reason = textAt(choice, 'finish_reason')
  if (reason === 'error') throw errorEvent(choice)
  if (reason !== '') close(turn, finishReasons.get(reason) ?? 'stop')
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

function close(turn: Turn, reason: FinishReason): void {
  turn.finishReason = reason
  for (const call of turn.calls) call.whole = true
}

function readReasoning(turn: Turn, delta: JsonObject): void {
  for (const field of reasoningFieldNames) {
    const text = textAt(delta, field)
    if (text === '') continue
    addReasoning(turn, reasoningBlock(turn, reasoningSignature(field)), text)
    return
  }
}

function reasoningBlock(turn: Turn, signature: string | null): ReasoningBlock {
  const known = turn.reasoning.find((block) => block.signature === signature)
  if (known) return known
  const block: ReasoningBlock = { text: '', signature, redacted: false }
  turn.reasoning.push(block)
  return block
}

/** Content is text, or with some servers a list of parts of which some are thinking. */
function readContent(turn: Turn, content: unknown): void {
  if (typeof content === 'string') addText(turn, content)
  if (!Array.isArray(content)) return
  for (const part of content) {
    if (!isObject(part)) continue
    if (part.type === 'thinking') readThinking(turn, part.thinking)
    else addText(turn, textAt(part, 'text'))
  }
}

function readThinking(turn: Turn, thinking: unknown): void {
  const parts = Array.isArray(thinking) ? thinking : [{ text: thinking }]
  for (const part of parts) {
    if (!isObject(part)) continue
    addReasoning(turn, reasoningBlock(turn, null), textAt(part, 'text'))
  }
}

function readCall(turn: Turn, fragment: JsonObject): void {
  const asked = objectAt(fragment, 'function')
  const name = textAt(asked, 'name')
  const id = textAt(fragment, 'id') || null
  const call = findCall(turn, wireIndex(fragment), id, name) ?? startCall(turn, fragment, id, name)
  if (call.name === '') call.name = name
  call.id ??= id
  const text = argumentsOf(asked.arguments)
  if (text !== '') addArguments(turn, call, text)
}

/** The index a server gave to a call, which need not be its place; null when it gave none. */
function wireIndex(fragment: JsonObject): number | null {
  return typeof fragment.index === 'number' ? fragment.index : null
}

const indexOfCall = new WeakMap<GrowingCall, number>()

/**
 * The call a fragment goes on with. Some servers number no call, some give every call the index 0, some repeat
 * id and name in every fragment: a new id that comes with a name is a new call.
 */
function findCall(turn: Turn, index: number | null, id: string | null, name: string) {
  const calls = turn.calls
  const sameId = id === null ? undefined : calls.find((call) => call.id === id)
  if (index === null) return sameId ?? (name === '' ? calls.at(-1) : undefined)
  const sameIndex = calls.findLast((call) => indexOfCall.get(call) === index)
  if (!sameIndex || id === null || sameIndex.id === null || sameIndex.id === id) return sameIndex
  return name === '' ? sameIndex : undefined
}

function startCall(turn: Turn, fragment: JsonObject, id: string | null, name: string): GrowingCall {
  const call = addCall(turn, id, name)
  const index = wireIndex(fragment)
  if (index !== null) indexOfCall.set(call, index)
  return call
}

/** Arguments come as pieces of text; a few servers send the object itself, whole. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}
