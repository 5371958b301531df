import {
  type AskFault,
  callTag,
  closeTag,
  openTag,
  unreadableName,
} from '@/lib/protocol/asked-in-text'
import { exactText } from '@/lib/protocol/exact-json'
import type { ModelEvent, ModelFinish, WireToolCall } from '@/lib/protocol/model-event'
import { nestedTooDeeply } from '@/lib/protocol/nested-too-deeply'
import { unfenced } from '@/lib/protocol/structured-answer'

/** A code fence that a model opened around its request, or white space in front of it. */
const fenceBefore = /\s*`{3}[\w-]{0,20}\s*$|\s+$/
/** The end of a text that may become such a fence. */
const mayBeFence = /\s*`{1,3}[\w-]{0,20}\s*$|\s+$/
/** How much of the end of a text is looked at for the beginning of a fence. */
const longestFence = 64

/**
 * Reads a stream in which tools are asked for in text (SPEC W), whatever its wire: what a model says in front of its
 * request streams as text, the request as a call, and what follows it is kept from the reader. Reasoning passes as it is. The
 * finish is read anew as a whole: how its text was cut into deltas means nothing.
 */
export async function* readAsks(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const stream = askStream()
  for await (const event of events) {
    if (event.type === 'text-delta') yield* stream.push(event.text)
    else if (event.type === 'tool-call-delta') {
      // A server that reads the tags by itself. Only the first call counts here, too.
      if (event.index === 0) yield event
    } else if (event.type === 'finish') {
      yield* stream.end()
      yield readFinish(event)
    } else yield event
  }
}

function askStream() {
  let state: 'before' | 'inside' | 'after' = 'before'
  let held = ''

  function* readBefore(): Generator<ModelEvent> {
    const at = held.indexOf(openTag)
    const end = at === -1 ? heldFrom(held) : withoutFence(held.slice(0, at)).length
    if (end > 0) yield { type: 'text-delta', text: held.slice(0, end) }
    held = held.slice(at === -1 ? end : at + openTag.length)
    if (at === -1) return
    state = 'inside'
    yield* readInside()
  }

  function* readInside(): Generator<ModelEvent> {
    const at = held.indexOf(closeTag)
    const end = at === -1 ? held.length - partOf(closeTag, held) : at
    if (end > 0) {
      yield { type: 'tool-call-delta', index: 0, name: '', argumentsText: held.slice(0, end) }
    }
    held = at === -1 ? held.slice(end) : ''
    if (at !== -1) state = 'after'
  }

  return {
    *push(text: string): Generator<ModelEvent> {
      if (state === 'after') return
      held += text
      yield* state === 'before' ? readBefore() : readInside()
    },
    *end(): Generator<ModelEvent> {
      if (held === '' || state === 'after') return
      if (state === 'before') yield { type: 'text-delta', text: held }
      else yield { type: 'tool-call-delta', index: 0, name: '', argumentsText: held }
    },
  }
}

/** Where the part of a text begins that may still turn out to be a fence, a tag, or white space in front of one. */
function heldFrom(text: string): number {
  const partial = text.length - partOf(openTag, text)
  const from = Math.max(0, partial - longestFence)
  const fence = mayBeFence.exec(text.slice(from, partial))
  return fence ? from + fence.index : partial
}

/** How many characters at the end of a text may be the beginning of a tag. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}

function withoutFence(text: string): string {
  const from = Math.max(0, text.length - longestFence)
  const fence = fenceBefore.exec(text.slice(from))
  return fence ? text.slice(0, from + fence.index) : text
}

/**
 * A finished answer with its request as a call. Only a request in an answer that came to its own end counts (SPEC R10); from
 * any other end the part in front of it stays.
 */
function readFinish(finish: ModelFinish): ModelFinish {
  const { text, toolCalls, finishReason } = finish
  const at = text.indexOf(openTag)
  if (at === -1) return toolCalls.length > 0 ? asIfInText(finish, text, '') : finish
  const before = withoutFence(text.slice(0, at))
  if (finishReason !== 'stop' && finishReason !== 'tool-calls') {
    return { ...finish, text: before, toolCalls: [] }
  }
  const close = text.indexOf(closeTag, at)
  const end = close === -1 ? text.length : close + closeTag.length
  const after = text.slice(end)
  // A server that reads the tags by itself leaves no tag, so this one is what the model means.
  if (toolCalls.length > 0) return asIfInText(finish, before, after)
  const inside = text.slice(at + openTag.length, close === -1 ? text.length : close)
  const { call, fault } = readCall(inside, close !== -1)
  const inText = { tag: text.slice(before.length, end), after, fault }
  return { ...finish, finishReason: 'tool-calls', text: before, toolCalls: [call], inText }
}

/** The first of the calls that a server made of an answer, as the text that the model was taught. */
function asIfInText(finish: ModelFinish, text: string, after: string): ModelFinish {
  const { native: _, ...portable } = finish
  const [call] = finish.toolCalls
  if (!call) return finish
  const tag = `${text === '' ? '' : '\n'}${callTag(call)}`
  return {
    ...portable,
    text,
    toolCalls: [{ ...call, id: null }],
    inText: { tag, after, fault: null },
  }
}

type ReadCall = { call: WireToolCall; fault: AskFault | null }

const fields = new Set(['name', 'args', 'arguments'])

/** Reads the text between the tags as strictly as arguments are read: nothing of it is repaired (SPEC R11). */
function readCall(inside: string, isClosed: boolean): ReadCall {
  const json = unfenced(inside.trim())
  const faulty = (fault: AskFault, name = unreadableName): ReadCall => ({
    call: { id: null, name, argumentsText: json },
    fault,
  })
  if (!isClosed) return faulty('unclosed_tag')
  const value = nestedTooDeeply(json) ? undefined : parsed(json)
  if (value === undefined) return faulty('bad_json')
  if (!isObject(value)) return faulty('not_an_object')
  const { name } = value
  if (typeof name !== 'string' || name.trim() === '') return faulty('missing_name')
  // Models that were trained on such tags write `arguments`. Anything else would be a call without what it was asked with.
  const isKnown = Object.keys(value).every((field) => fields.has(field))
  if (!isKnown || ('args' in value && 'arguments' in value)) return faulty('unknown_field', name)
  const args = value.args ?? value.arguments
  if (args === undefined && !('args' in value || 'arguments' in value)) {
    return { call: { id: null, name, argumentsText: '{}' }, fault: null }
  }
  if (!isObject(args)) return faulty('arguments_not_an_object', name)
  const argumentsText = exactText(args, { text: json, value })
  return { call: { id: null, name, argumentsText }, fault: null }
}

/** Undefined = no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
