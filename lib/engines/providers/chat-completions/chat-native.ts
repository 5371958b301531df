import { createHash } from 'node:crypto'
import {
  isObject,
  type JsonObject,
  objectAt,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsJson } from '@/lib/engines/providers/request/tool-schema'
import { wireName } from '@/lib/engines/providers/request/wire-names'
import { firstPlaces } from '@/lib/engines/providers/turn/repeated-calls'
import type { GrowingCall } from '@/lib/engines/providers/turn/turn'
import type { ModelFinish } from '@/lib/protocol/model/message'
import { reasoningFields } from './chat-completions-request'

/**
 * Collects the fields of a Chat Completions answer that the next request must send back, besides text, calls and plain
 * reasoning: Gemini's thought signatures (`extra_content`), OpenRouter's `reasoning_details`, Mistral's reasoning among
 * the parts of the content, reasoning in tags.
 */
export function createChatNative() {
  const details: JsonObject[] = []
  const parts: JsonObject[] = []
  const extraOfCall = new Map<GrowingCall, JsonObject>()
  let extra: JsonObject = {}

  function addPart(part: JsonObject): void {
    const last = parts.at(-1)
    if (last && last.type === part.type && mergePart(last, part)) return
    parts.push({ ...part })
  }

  /** Returns what came with a call. A call that came twice may have had it the second time only. */
  function extraOf(call: GrowingCall): JsonObject | undefined {
    const own = extraOfCall.get(call)
    return own ?? [...extraOfCall].find(([other]) => isSame(call, other))?.[1]
  }

  return {
    readDelta(delta: JsonObject): void {
      if (Array.isArray(delta.reasoning_details)) {
        for (const detail of delta.reasoning_details) {
          if (isObject(detail)) addDetail(details, detail)
        }
      }
      if (isObject(delta.extra_content)) extra = { ...extra, ...delta.extra_content }
      if (Array.isArray(delta.content)) {
        for (const part of delta.content) if (isObject(part)) addPart(part)
      } else if (parts.length > 0 && textAt(delta, 'content') !== '') {
        addPart({ type: 'text', text: delta.content })
      }
    },
    readCall(call: GrowingCall, fragment: JsonObject): void {
      const own = extraFields(fragment)
      if (own) extraOfCall.set(call, { ...extraOfCall.get(call), ...own })
    },
    /**
     * Gives signed calls other ids where the server gave different calls the same one: the signatures go back only
     * with the calls, and results go back by the ids.
     */
    nameCalls(calls: readonly GrowingCall[]): void {
      if (extraOfCall.size === 0) return
      const places = firstPlaces(calls)
      const taken = new Set<string>()
      for (const [at, call] of calls.entries()) {
        if (places[at] !== at) continue
        if (call.id === null) continue
        if (taken.has(call.id)) call.id = madeId(at, [...extraOfCall.values()])
        taken.add(call.id)
      }
    },
    /** Returns the message as JSON text, or null when the portable form has all of it. */
    message(finish: ModelFinish, calls: readonly GrowingCall[], tagged: string | null) {
      const thoughtParts = parts.some((part) => part.type !== 'text')
      const carriesMore =
        details.length > 0 ||
        thoughtParts ||
        tagged !== null ||
        isSigned(extra) ||
        extraOfCall.size > 0
      // Results go back by the ids of the calls, which these have not.
      if (!carriesMore || calls.some((call) => call.id === null)) return null
      return JSON.stringify({
        role: 'assistant',
        content: thoughtParts ? parts : (tagged ?? spoken(finish)),
        ...(details.length > 0
          ? { reasoning_details: details }
          : reasoningFields(calls.length > 0 ? finish.reasoning : [])),
        ...(isSigned(extra) ? { extra_content: extra } : {}),
        ...(calls.length > 0
          ? { tool_calls: calls.map((call) => wireCall(call, extraOf(call))) }
          : {}),
      })
    },
  }
}

function isSame(call: GrowingCall, other: GrowingCall): boolean {
  return firstPlaces([call, other])[1] === 0
}

/** Returns an id that no other answer has, because no other one has these signatures. */
function madeId(at: number, extras: readonly JsonObject[]): string {
  const hash = createHash('sha256').update(JSON.stringify([at, extras]))
  return `call_${hash.digest('hex').slice(0, 32)}`
}

/** Returns the fields of a call that servers want back: Gemini's own, and LiteLLM's for it. */
function extraFields(fragment: JsonObject): JsonObject | null {
  const own: JsonObject = {}
  for (const field of ['extra_content', 'provider_specific_fields']) {
    if (isObject(fragment[field])) own[field] = fragment[field]
  }
  return Object.keys(own).length > 0 ? own : null
}

/** Returns whether the field is a signature. Gemini also marks reasoning in it, which need not be sent back. */
function isSigned(extra: JsonObject): boolean {
  return textAt(objectAt(extra, 'google'), 'thought_signature') !== ''
}

function spoken({ text, toolCalls }: ModelFinish): string | null {
  return text === '' && toolCalls.length > 0 ? null : text
}

function wireCall({ id, name, argumentsText }: GrowingCall, own: JsonObject = {}): JsonObject {
  return {
    id,
    type: 'function',
    function: { name: wireName(name), arguments: argumentsJson(argumentsText) },
    ...own,
  }
}

const grownFields = ['text', 'summary']

/** Number of characters before the end in which an opening tag is searched. */
const openDetails = 64

/** Adds a detail. It arrives in pieces with the same kind and index; an encrypted one arrives whole. */
function addDetail(details: JsonObject[], piece: JsonObject): void {
  const same = details
    .slice(-openDetails)
    .findLast((detail) => detail.type === piece.type && detail.index === piece.index)
  const grows = grownFields.some((field) => typeof piece[field] === 'string')
  const signs = same === details.at(-1) && typeof piece.signature === 'string'
  if (!same || textAt(piece, 'data') !== '' || !(grows || signs)) {
    details.push({ ...piece })
    return
  }
  for (const [field, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue
    const grows = grownFields.includes(field) && typeof value === 'string'
    same[field] = grows ? textAt(same, field) + value : value
  }
}

/**
 * Adds a piece to the part before it, when both are of the same text or thought. Returns false for anything else, which
 * stays as it came.
 */
function mergePart(last: JsonObject, piece: JsonObject): boolean {
  if (last.type === 'text') {
    last.text = textAt(last, 'text') + textAt(piece, 'text')
    return true
  }
  if (last.type !== 'thinking' || !Array.isArray(last.thinking) || !Array.isArray(piece.thinking)) {
    return false
  }
  const { thinking, ...rest } = piece
  const items: unknown[] = [...last.thinking]
  for (const item of piece.thinking) {
    const before = items.at(-1)
    if (isText(before) && isText(item)) items[items.length - 1] = joined(before, item)
    else items.push(item)
  }
  Object.assign(last, rest, { thinking: items })
  return true
}

function isText(value: unknown): value is JsonObject {
  return isObject(value) && value.type === 'text'
}

function joined(before: JsonObject, piece: JsonObject): JsonObject {
  return { ...before, ...piece, text: textAt(before, 'text') + textAt(piece, 'text') }
}
