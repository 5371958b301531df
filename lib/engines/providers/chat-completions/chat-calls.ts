import {
  type JsonObject,
  objectAt,
  parseObject,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsIn } from '@/lib/engines/providers/request/tool-schema'
import {
  addArguments,
  addCall,
  type GrowingCall,
  type Turn,
} from '@/lib/engines/providers/turn/turn'
import type { ParsedJson } from '@/lib/words/json-text'

/** Reads a fragment of a call. `chunk` is what it came in. */
export function readCall(turn: Turn, chunk: ParsedJson, fragment: JsonObject): GrowingCall {
  const details = objectAt(fragment, 'function')
  const name = textAt(details, 'name')
  const text = argumentsIn(chunk, details.arguments)
  const id = textAt(fragment, 'id') || null
  const place = { index: wireIndex(fragment), id, name, text }
  const call = findCall(turn, place) ?? startCall(turn, fragment, id, name)
  call.id ??= id
  growCall(turn, call, name, text)
  return call
}

/** Reads the one call, without an id, in the old field for function calls. Returns it; null = it did not begin yet. */
export function readLegacyCall(
  turn: Turn,
  chunk: ParsedJson,
  input: JsonObject,
  begun: GrowingCall | null,
): GrowingCall | null {
  const name = textAt(input, 'name')
  const text = argumentsIn(chunk, input.arguments)
  if (name === '' && text === '') return begun
  const call = begun ?? addCall(turn, null, name)
  growCall(turn, call, name, text)
  return call
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

/** Returns whether a call has not all of its arguments. */
export function isIncomplete({ argumentsText }: GrowingCall): boolean {
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
