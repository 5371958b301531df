import type { JsonObject } from './json-value'
import { LineTooLongError, longestLine } from './line-splitter'
import { createSseParser, type ServerSentEvent } from './sse'
import type { WireReader } from './stream-turn'
import { eventObject } from './wire-event'

type EventSink = {
  event: (event: ServerSentEvent) => void
  /** What the end of the body left unfinished: it counts only when it is whole. */
  rest: (event: ServerSentEvent) => void
  /** The one object that a server sent which does not stream, and its text. */
  whole: (answer: JsonObject, text: string) => void
}

/** Reads server-sent events, or the one JSON object that some servers send although a stream was asked for. */
export function eventReader(sink: EventSink): WireReader {
  const parser = createSseParser()
  const object = createObjectCollector(sink.whole)
  let kind: 'unknown' | 'events' | 'object' = 'unknown'
  return {
    push: (bytes) => {
      if (kind === 'unknown') kind = kindOf(bytes)
      if (kind === 'object') object.push(bytes)
      else for (const event of parser.push(bytes)) sink.event(event)
    },
    end: () => {
      if (kind === 'object') object.end()
      for (const event of parser.end()) sink.rest(event)
    },
  }
}

const braceOpen = 0x7b
const braceClose = 0x7d
const quote = 0x22
const backslash = 0x5c
/** Blanks, and the three bytes of a byte order mark. */
const leading = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** No line of an event stream begins with a brace. */
function kindOf(bytes: Uint8Array): 'unknown' | 'events' | 'object' {
  const first = bytes.find((byte) => !leading.has(byte))
  if (first === undefined) return 'unknown'
  return first === braceOpen ? 'object' : 'events'
}

/** Collects the bytes of one JSON object and gives it as soon as its last brace came, whether or not the body ends. */
export function createObjectCollector(
  give: (object: JsonObject, text: string) => void,
): WireReader {
  let parts: Uint8Array[] = []
  let held = 0
  let depth = 0
  let inText = false
  let escaped = false
  let given = false

  /** The place after the last brace, or -1. */
  function endIn(bytes: Uint8Array): number {
    for (let place = 0; place < bytes.length; place++) {
      const byte = bytes[place]
      if (inText) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = true
      else if (byte === braceOpen) depth += 1
      else if (byte === braceClose && --depth === 0) return place + 1
    }
    return -1
  }

  function finish(): void {
    const text = Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
    parts = []
    given = true
    give(eventObject(text), text)
  }

  return {
    push: (bytes) => {
      if (given) return
      const end = endIn(bytes)
      parts.push(end === -1 ? bytes : bytes.subarray(0, end))
      held += bytes.length
      if (held > longestLine) throw new LineTooLongError()
      if (end !== -1) finish()
    },
    end: () => {
      if (!given && held > 0) finish()
    },
  }
}
