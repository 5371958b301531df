import { checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import {
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '@/lib/engines/providers/request/json-value'
import { argumentsIn } from '@/lib/engines/providers/request/tool-schema'
import {
  addArguments,
  addCall,
  addReasoning,
  addText,
  type GrowingCall,
  type Turn,
} from '@/lib/engines/providers/turn/turn'
import type { ReasoningBlock } from '@/lib/protocol/model/message'
import type { ParsedJson } from '@/lib/words/json-text'

/** An item of the answer that is arriving. `parts` is the text of each of its parts so far. */
type OpenItem = { parts: Map<string, string> } & (
  | { type: 'message' }
  | { type: 'reasoning'; block: ReasoningBlock }
  | { type: 'call'; call: GrowingCall }
)

/** `items` and `done` go by the items' places: some servers change an item's id on the way. */
export type ResponsesReading = {
  turn: Turn
  /** The event that is being read. */
  event: ParsedJson
  items: Map<unknown, OpenItem>
  done: Map<unknown, JsonObject>
  placeOfId: Map<string, unknown>
  placesAt: Map<number, unknown[]>
  refused: boolean
}

export function newReading(turn: Turn): ResponsesReading {
  const event = { text: '', value: {} }
  return {
    turn,
    event,
    items: new Map(),
    done: new Map(),
    placeOfId: new Map(),
    placesAt: new Map(),
    refused: false,
  }
}

type ItemType = OpenItem['type']

/**
 * Returns an item's place in the answer: its index, or its id where a server gives no index. Some servers change an
 * item's id on the way, some give two calls one index, some give the index only with the whole item; what has neither
 * belongs to the open item of its type.
 */
export function placeOf(reading: ResponsesReading, body: JsonObject, type: ItemType): unknown {
  const item = objectAt(body, 'item')
  const id = textAt(item, 'id') || textAt(body, 'item_id')
  const index = typeof body.output_index === 'number' ? body.output_index : null
  const place =
    index === null
      ? (reading.placeOfId.get(id) ?? (id || openPlace(reading, type) || type))
      : placeWith(reading, { index, id, item, type })
  if (id !== '') reading.placeOfId.set(id, place)
  return place
}

type Indexed = { index: number; id: string; item: JsonObject; type: ItemType }

function placeWith(reading: ResponsesReading, { index, id, item, type }: Indexed): unknown {
  const there = reading.placesAt.get(index) ?? []
  const byId = reading.placeOfId.get(id)
  const known = there.includes(byId) ? byId : there.at(-1)
  if (known !== undefined && !isOther(reading, known, item)) return known
  const isWhole = textAt(item, 'type') !== '' && there.length === 0
  const unplaced = isWhole ? openPlace(reading, type, (place) => typeof place === 'string') : null
  // Items with one index stand behind one another.
  const place = unplaced ?? index + there.length / 1_000
  reading.placesAt.set(index, [...there, place])
  return place
}

/** Returns the place of the last item of a type that is not done; null = there is none. */
function openPlace(
  { items, done }: ResponsesReading,
  type: ItemType,
  fits: (place: unknown) => boolean = () => true,
): unknown {
  const open = [...items].filter(([place, item]) => item.type === type && !done.has(place))
  return open.findLast(([place]) => fits(place))?.[0] ?? null
}

/** Returns whether a call is another one than the item at its index. */
function isOther({ items }: ResponsesReading, place: unknown, item: JsonObject): boolean {
  const callId = textAt(item, 'call_id')
  const there = items.get(place)
  return (
    callId !== '' && there?.type === 'call' && there.call.id !== null && there.call.id !== callId
  )
}

/** Returns what an item of the wire is here. */
export function typeOf(item: JsonObject): ItemType {
  const type = textAt(item, 'type')
  return type === 'function_call' ? 'call' : type === 'reasoning' ? 'reasoning' : 'message'
}

export function openItem(
  { turn, items }: ResponsesReading,
  place: unknown,
  item: JsonObject,
): OpenItem {
  const parts = new Map<string, string>()
  const opened = open()
  items.set(place, opened)
  return opened

  function open(): OpenItem {
    switch (textAt(item, 'type')) {
      case 'message':
        return { type: 'message', parts }
      case 'reasoning': {
        const block: ReasoningBlock = { text: '', signature: null, redacted: false }
        turn.reasoning.push(block)
        return { type: 'reasoning', block, parts }
      }
      case 'function_call': {
        if (!isOurs(item)) throw notRun(item)
        const call = addCall(turn, textAt(item, 'call_id') || null, textAt(item, 'name'))
        if (textAt(item, 'arguments') !== '') addArguments(turn, call, textAt(item, 'arguments'))
        return { type: 'call', call, parts }
      }
      default:
        throw notRun(item)
    }
  }
}

/** Returns false for a call of a program that the model wrote, or of a function in a namespace. Neither was offered. */
function isOurs(item: JsonObject): boolean {
  const caller = textAt(objectAt(item, 'caller'), 'type')
  return (caller === '' || caller === 'direct') && textAt(item, 'namespace') === ''
}

/** Returns the item to send back, with what its events left out. */
export function closeItem(reading: ResponsesReading, place: unknown, item: JsonObject): void {
  if (reading.done.has(place)) return
  const opened = reading.items.get(place) ?? openItem(reading, place, item)
  switch (opened.type) {
    case 'message':
      for (const [index, part] of listAt(item, 'content').entries()) {
        if (!isObject(part)) continue
        const refusal = textAt(part, 'refusal')
        if (refusal !== '') reading.refused = true
        complete(reading, opened, partKey('text', index), refusal || textAt(part, 'text'))
      }
      break
    case 'reasoning':
      for (const kind of ['summary', 'content'] as const) {
        for (const [index, part] of listAt(item, kind).entries()) {
          if (isObject(part)) complete(reading, opened, partKey(kind, index), textAt(part, 'text'))
        }
      }
      break
    case 'call': {
      if (!isOurs(item)) throw notRun(item)
      const { call } = opened
      call.id ??= textAt(item, 'call_id') || null
      if (call.name === '') call.name = textAt(item, 'name')
      completeArguments(reading.turn, call, argumentsIn(reading.event, item.arguments))
      call.whole = ['', 'completed'].includes(textAt(item, 'status'))
      break
    }
    default:
      opened satisfies never
  }
  reading.done.set(place, item)
}

type PartKind = 'text' | 'summary' | 'content'

function partKey(kind: PartKind, index: unknown): string {
  return `${kind} ${index}`
}

/** Returns the part that an event is about. */
function partOf(body: JsonObject): string {
  if (body.summary_index !== undefined) return partKey('summary', body.summary_index)
  const kind = textAt(body, 'type').startsWith('response.reasoning') ? 'content' : 'text'
  return partKey(kind, body.content_index ?? 0)
}

/** Returns the item of a delta. Servers leave out the item's beginning, but not of a call: it has the name. */
function spokenItem(reading: ResponsesReading, body: JsonObject): OpenItem {
  const type = partOf(body).startsWith('text') ? 'message' : 'reasoning'
  const place = placeOf(reading, body, type)
  return reading.items.get(place) ?? openItem(reading, place, { type })
}

export function growPart(reading: ResponsesReading, body: JsonObject, text: string): void {
  grow(reading.turn, spokenItem(reading, body), partOf(body), text)
}

export function completePart(reading: ResponsesReading, body: JsonObject, text: string): void {
  complete(reading, spokenItem(reading, body), partOf(body), text)
}

/** Adds what did not come as deltas. Where the whole is another text than they were, what was shown stays. */
function complete({ turn }: ResponsesReading, item: OpenItem, part: string, whole: string): void {
  const soFar = item.parts.get(part) ?? ''
  if (whole.startsWith(soFar)) grow(turn, item, part, whole.slice(soFar.length))
}

/** Adds text. Messages and the parts of reasoning are separated by an empty line. */
function grow(turn: Turn, item: OpenItem, part: string, text: string): void {
  if (text === '') return
  const soFar = item.parts.get(part) ?? ''
  item.parts.set(part, soFar + text)
  switch (item.type) {
    case 'message':
      addText(
        turn,
        item.parts.size === 1 && soFar === '' && turn.text !== '' ? `\n\n${text}` : text,
      )
      return
    case 'reasoning': {
      const { block } = item
      addReasoning(turn, block, soFar === '' && block.text !== '' ? `\n\n${text}` : text)
      return
    }
    default:
      throw outOfOrder({ part, text })
  }
}

function callAt(reading: ResponsesReading, body: JsonObject): GrowingCall {
  const item = reading.items.get(placeOf(reading, body, 'call'))
  if (item?.type !== 'call') throw outOfOrder(body)
  return item.call
}

export function growArguments(reading: ResponsesReading, body: JsonObject, fragment: string): void {
  const call = callAt(reading, body)
  if (fragment !== '') addArguments(reading.turn, call, fragment)
}

export function completeCall(reading: ResponsesReading, body: JsonObject): void {
  const call = callAt(reading, body)
  completeArguments(reading.turn, call, argumentsIn(reading.event, body.arguments))
  call.whole = true
}

/**
 * Adds what is missing of the whole arguments. Throws when they do not begin like their pieces: that would be another
 * call.
 */
function completeArguments(turn: Turn, call: GrowingCall, whole: string): void {
  if (whole === '' || whole === call.argumentsText) return
  if (!whole.startsWith(call.argumentsText)) throw outOfOrder({ call, whole })
  addArguments(turn, call, whole.slice(call.argumentsText.length))
}

export function outOfOrder(received: unknown): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The provider sent its answer out of order. Try again. ${checkWire}`,
    { received },
  )
}

/**
 * Returns the failure for an item that Toolgate does not run: hosted tools, programs, and kinds newer than this code.
 */
function notRun(item: JsonObject): WireFailure {
  const type = textAt(item, 'type')
    .replace(/[^\w.-]/g, '')
    .slice(0, 60)
  const what = type === 'function_call' ? 'a function call that was not offered to it' : `“${type}”`
  return new WireFailure(
    'invalid-response',
    `The model answered with ${what}, which Toolgate does not run. Nothing of it was run. Remove what asks for it from the configuration's further fields, or pick another model.`,
    { item },
  )
}
