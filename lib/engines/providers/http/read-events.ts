import { StringDecoder } from 'node:string_decoder'
import { type JsonObject, parseObject } from '@/lib/engines/providers/request/json-value'
import type { WireReader } from '@/lib/engines/providers/turn/stream-turn'
import { readOrCount, type Turn } from '@/lib/engines/providers/turn/turn'
import { eventObject } from './wire-event'

type EventSink = {
  turn: Turn
  event: (event: ServerSentEvent) => void
  /** Receives the unfinished event at the end of the body. It counts only if it is whole. */
  rest: (event: ServerSentEvent) => void
  /** The one object that a server sent which does not stream, and its text. */
  whole: (answer: JsonObject, text: string) => void
  /** Reads the usage of an event, or of that object, and nothing else of it. */
  count: (body: JsonObject) => void
}

/** Reads server-sent events, or the one JSON object that some servers send although a stream was asked for. */
export function eventReader(sink: EventSink): WireReader {
  const parser = createSseParser()
  const object = createObjectCollector((answer, text) =>
    readOrCount(
      sink.turn,
      () => sink.whole(answer, text),
      () => sink.count(answer),
    ),
  )
  const read = (events: ServerSentEvent[], take: (event: ServerSentEvent) => void) => {
    for (const event of events) {
      readOrCount(
        sink.turn,
        () => take(event),
        () => sink.count(parseObject(event.data) ?? {}),
      )
    }
  }
  let kind: 'unknown' | 'events' | 'object' = 'unknown'
  return {
    push: (bytes) => {
      if (kind === 'unknown') kind = kindOf(bytes)
      if (kind === 'object') object.push(bytes)
      else read(parser.push(bytes), sink.event)
    },
    end: () => {
      if (kind === 'object') object.end()
      read(parser.end(), sink.rest)
    },
  }
}

const braceOpen = 0x7b
const braceClose = 0x7d
const quote = 0x22
const backslash = 0x5c
/** Blanks, and the three bytes of a byte order mark. */
const leading = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** Returns the kind of a line. No line of an event stream begins with a brace. */
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

  /** Returns the place after the last brace, or -1. */
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

/** One server-sent event: its name ('' when unnamed) and its data lines joined by a newline. */
export type ServerSentEvent = { event: string; data: string }

/**
 * Parses server-sent events as the standard says, with one leniency: an event that the end of the stream cuts
 * before its blank line is still given, since its JSON tells whether it was whole.
 */
export function createSseParser() {
  const splitter = createLineSplitter()
  let event = ''
  let data: string[] = []
  let held = 0

  function read(lines: string[]): ServerSentEvent[] {
    const events: ServerSentEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(flush())
        event = ''
        continue
      }
      readField(line)
    }
    return events
  }

  function readField(line: string) {
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
      data.push(value)
      held += value.length
      if (held > longestLine) throw new LineTooLongError()
      return
    }
    if (line.startsWith('event:')) event = line.slice(line.charCodeAt(6) === 32 ? 7 : 6)
  }

  function flush(): ServerSentEvent {
    const whole = { event, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') }
    data = []
    held = 0
    return whole
  }

  return {
    push: (bytes: Uint8Array): ServerSentEvent[] => read(splitter.push(bytes)),
    end: (): ServerSentEvent[] => {
      const events = read(splitter.end())
      if (data.length > 0) events.push(flush())
      return events
    },
  }
}

/** No provider sends a line near this; it bounds what a hostile one can make us hold. */
const longestLine = 16 * 1024 * 1024

export class LineTooLongError extends Error {
  readonly code = 'LINE_TOO_LONG'

  constructor() {
    super(`A line of the answer is longer than ${longestLine} characters.`)
    this.name = 'LineTooLongError'
  }
}

/**
 * Splits a byte stream into lines, however the bytes were cut: CRLF, LF and CR all end a line and a UTF-8
 * character may arrive in pieces. `push` returns the lines that are whole; `end` returns what was left over.
 */
export function createLineSplitter() {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let held = 0
  let skipNewline = false
  let begun = false

  /** Leaves out a byte order mark at the very start, as the standard for such streams says. */
  function begin(text: string): string {
    if (begun || text === '') return text
    begun = true
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  function take(text: string): string[] {
    const lines: string[] = []
    const nextBreak = text.includes('\r') ? nextCarriageOrNewline : nextNewline
    let start = skipNewline && text.startsWith('\n') ? 1 : 0
    if (text.length > 0) skipNewline = false
    for (let at = nextBreak(text, start); at !== -1; at = nextBreak(text, start)) {
      lines.push(
        parts.length === 0 ? text.slice(start, at) : parts.join('') + text.slice(start, at),
      )
      if (parts.length > 0) parts = []
      held = 0
      start = at + 1
      if (text.charCodeAt(at) !== 13) continue
      if (start === text.length) skipNewline = true
      else if (text.charCodeAt(start) === 10) start += 1
    }
    if (start < text.length) hold(text.slice(start))
    return lines
  }

  function hold(rest: string) {
    parts.push(rest)
    held += rest.length
    if (held > longestLine) throw new LineTooLongError()
  }

  return {
    push: (bytes: Uint8Array): string[] => take(begin(decoder.write(bytes))),
    end: (): string[] => {
      const lines = take(begin(decoder.end()))
      if (parts.length > 0) lines.push(parts.join(''))
      parts = []
      return lines
    },
  }
}

const carriageOrNewline = /[\r\n]/g

function nextNewline(text: string, from: number): number {
  return text.indexOf('\n', from)
}

function nextCarriageOrNewline(text: string, from: number): number {
  carriageOrNewline.lastIndex = from
  return carriageOrNewline.exec(text)?.index ?? -1
}
