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
import { wireName } from '@/lib/engines/providers/request/wire-names'
import { withoutRepeats } from '@/lib/engines/providers/turn/repeated-calls'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import {
  cacheParts,
  countIn,
  reportedCost,
  servedTier,
  usageOf,
} from '@/lib/engines/providers/turn/token-count'
import { type GrowingCall, type Turn, unknownEnd } from '@/lib/engines/providers/turn/turn'
import type { Usage } from '@/lib/protocol/cost/money'
import type { FinishReason, WireToolCall } from '@/lib/protocol/model/message'
import { exactJson } from '@/lib/words/json-text'
import {
  closeItem,
  completeCall,
  completePart,
  growArguments,
  growPart,
  newReading,
  openItem,
  outOfOrder,
  placeOf,
  type ResponsesReading,
  typeOf,
} from './responses-items'

/**
 * Reads a Responses stream into a turn, or the whole response where a server sends that instead. An answer is finished
 * only by the event that says so.
 */
export function readResponses(turn: Turn): WireReader {
  const reading = newReading(turn)
  return eventReader({
    turn,
    count: (body) => {
      turn.usage = readUsage(isObject(body.response) ? body.response : body) ?? turn.usage
    },
    event: (event) => readEvent(reading, event),
    rest: (event) => {
      if (parseObject(event.data)) readEvent(reading, event)
    },
    whole: (response, text) => {
      reading.event = { text, value: response }
      readWhole(reading, response)
    },
  })
}

function readWhole(reading: ResponsesReading, body: JsonObject): void {
  if (isObject(body.error) && body.output === undefined) throw errorEvent(body.error)
  if (!Array.isArray(body.output)) throw outOfOrder(body)
  readEnd(reading, body, textAt(body, 'status'))
}

function readEvent(reading: ResponsesReading, { event, data }: ServerSentEvent): void {
  const { turn } = reading
  if (turn.closed || data.trim() === '') return
  if (data.trim() === '[DONE]') {
    turn.closed = true
    return
  }
  const body = eventObject(data)
  reading.event = { text: data, value: body }
  switch (textAt(body, 'type') || event) {
    case 'response.output_item.added':
      openItem(
        reading,
        placeOf(reading, body, typeOf(objectAt(body, 'item'))),
        objectAt(body, 'item'),
      )
      return
    case 'response.output_item.done':
      closeItem(
        reading,
        placeOf(reading, body, typeOf(objectAt(body, 'item'))),
        objectAt(body, 'item'),
      )
      return
    case 'response.output_text.delta':
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      growPart(reading, body, textAt(body, 'delta'))
      return
    case 'response.refusal.delta':
      reading.refused = true
      growPart(reading, body, textAt(body, 'delta'))
      return
    case 'response.output_text.done':
    case 'response.reasoning_summary_text.done':
    case 'response.reasoning_text.done':
      completePart(reading, body, textAt(body, 'text'))
      return
    case 'response.refusal.done':
      reading.refused = true
      completePart(reading, body, textAt(body, 'refusal'))
      return
    case 'response.function_call_arguments.delta':
      growArguments(reading, body, textAt(body, 'delta'))
      return
    case 'response.function_call_arguments.done':
      completeCall(reading, body)
      return
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      readEnd(reading, objectAt(body, 'response'), statusOf(body))
      return
    case 'error':
      throw errorEvent(body.error ?? body)
    default:
      // Ignored: the start of a response, frames of parts, annotations and kinds that are newer than this code. The
      // items carry the same content.
      return
  }
}

function statusOf(body: JsonObject): string {
  return (
    textAt(objectAt(body, 'response'), 'status') || textAt(body, 'type').replace(/^response\./, '')
  )
}

/** Reads the end of the response. Only known ends are ends (SPEC R10). */
function readEnd(reading: ResponsesReading, response: JsonObject, status: string): void {
  const { turn } = reading
  turn.usage = readUsage(response) ?? turn.usage
  if (status === 'failed') throw errorEvent(response.error ?? response)
  const reason = textAt(objectAt(response, 'incomplete_details'), 'reason')
  const end = ends.get(status === 'incomplete' ? `incomplete: ${reason}` : status)
  if (!end) throw unknownEnd(reason === '' ? status : reason)
  readRest(reading, listAt(response, 'output'))
  turn.closed = true
  turn.finishReason = reading.refused ? 'content-filter' : end
  turn.native = () => nativeOf(reading)
}

const ends: ReadonlyMap<string, FinishReason> = new Map([
  ['completed', 'stop'],
  ['incomplete: max_output_tokens', 'length'],
  ['incomplete: content_filter', 'content-filter'],
])

/** Reads the items that did not arrive as events. The list may be empty although they did. */
function readRest(reading: ResponsesReading, output: unknown[]): void {
  const { items, done, turn } = reading
  for (const [index, item] of output.entries()) {
    if (!isObject(item)) continue
    const byId = items.has(index) ? undefined : reading.placeOfId.get(textAt(item, 'id'))
    const place = byId ?? placeOf(reading, { output_index: index, item }, typeOf(item))
    const isKnown = !items.has(place) && turn.calls.some((call) => isSame(reading, call, item))
    if (!done.has(place) && !isKnown) closeItem(reading, place, item)
  }
}

/** Returns whether an item is a call that arrived as events, perhaps under another id. */
function isSame({ event }: ResponsesReading, call: GrowingCall, item: JsonObject): boolean {
  if (call.id === null || call.id !== textAt(item, 'call_id')) return false
  return !call.whole || call.argumentsText === argumentsIn(event, item.arguments)
}

/**
 * Returns the items as they arrived, to be sent back; null when one of them never ended, or when the portable form has
 * all of it: at most one message, and calls.
 */
function nativeOf({ items, done }: ResponsesReading): string | null {
  if (done.size < items.size) return null
  const arrived = [...done]
    .sort(([place], [other]) => Number(place) - Number(other))
    .map(([, item]) => item)
  const inOrder = withoutRepeats(arrived, callOf).map((item) => {
    const isCall = textAt(item, 'type') === 'function_call'
    return isCall ? { ...item, name: wireName(textAt(item, 'name')) } : item
  })
  const spoken = inOrder.filter((item) => textAt(item, 'type') !== 'function_call')
  const isPortable = spoken.every(
    (item) => textAt(item, 'type') === 'message' && textAt(item, 'phase') === '',
  )
  return isPortable && spoken.length <= 1 ? null : exactJson(inOrder)
}

function callOf(item: JsonObject): WireToolCall | null {
  if (textAt(item, 'type') !== 'function_call') return null
  const argumentsText =
    typeof item.arguments === 'string' ? item.arguments : exactJson(item.arguments)
  return { id: textAt(item, 'call_id') || null, name: textAt(item, 'name'), argumentsText }
}

/** Reads the usage. Cached and written tokens are parts of the input, reasoning is a part of the output. */
function readUsage(response: JsonObject): Usage | null {
  const usage = objectAt(response, 'usage')
  const input = countIn(usage.input_tokens)
  const output = countIn(usage.output_tokens)
  if (input === null || output === null) return null
  const inputDetails = objectAt(usage, 'input_tokens_details')
  const counted = usageOf({
    input,
    output,
    ...cacheParts(usage, inputDetails),
    reasoning: countIn(objectAt(usage, 'output_tokens_details').reasoning_tokens) ?? 0,
  })
  return { ...counted, ...reportedCost(usage), ...servedTier(response.service_tier) }
}
