import { setImmediate } from 'node:timers/promises'
import { formatCount } from '@/lib/words/format'
import { mostLevels } from '@/lib/words/json-text'
import { mebibyte, mostMessageBytes, ServerError } from './server-address'

/** Returns the error for a message that is larger than `mostMessageBytes`. */
function tooLarge(): ServerError {
  const words = `The server sent a message of more than ${mostMessageBytes / mebibyte} MiB, so it was stopped.`
  return new ServerError('too-much', words)
}

/** The most values of one message. Checking and storing them takes time for each. */
const mostValues = 100_000

const [newline, carriageReturn, quote, comma, backslash] = [10, 13, 34, 44, 92]
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

/**
 * Returns a function that takes the bytes of a stream and returns the lines that they complete, without the ends of lines.
 * Throws ServerError when a line is larger than `mostMessageBytes`, nested too deeply, or has too many values.
 */
export function lineReader(): (chunk: Uint8Array) => string[] {
  let waiting: Uint8Array[] = []
  let bytes = 0
  const scan = messageScan()
  const take = (last: Uint8Array): string => {
    const line = Buffer.concat([...waiting, last]).toString('utf8')
    waiting = []
    bytes = 0
    scan.restart()
    return line.trimEnd()
  }
  const count = (part: Uint8Array) => {
    bytes += part.length
    if (bytes > mostMessageBytes) throw tooLarge()
    for (const byte of part) {
      const error = scan.errorAt(byte)
      if (error) throw error
    }
  }
  return (chunk) => {
    const lines: string[] = []
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      count(chunk.subarray(from, at + 1))
      lines.push(take(chunk.subarray(from, at)))
      from = at + 1
    }
    const rest = chunk.subarray(from)
    count(rest)
    if (rest.length > 0) waiting.push(rest)
    return lines
  }
}

type BodyLimits = {
  /** The body is an event stream, in which an empty line also ends a message. */
  isEventStream: boolean
  /** Counts what all answers of the server have together. */
  count: ReturnType<typeof trafficLimit>
  onError: (error: ServerError) => void
}

/**
 * Returns the bytes of an answer. It fails with ServerError, of which `onError` is told, when one message of it is too
 * large or nested too deeply, or the server sends too much. A message ends where the answer does.
 */
export function limitedBody(
  body: AsyncIterable<Uint8Array>,
  limits: BodyLimits,
): ReadableStream<Uint8Array> {
  const chunks = limitedChunks(body, limits)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return()),
  })
}

async function* limitedChunks(
  body: AsyncIterable<Uint8Array>,
  { isEventStream, count, onError }: BodyLimits,
) {
  let bytes = 0
  const scan = messageScan()
  const isEventEnd = eventEnds()
  const isOfMessage = isEventStream ? dataLines() : () => true
  /** The pieces of an event that has not ended. Its reader would look through all of them again with each new one. */
  let held: Uint8Array[] = []
  const within = (error: ServerError | null) => {
    if (!error) return
    // A reader of events would wait for more.
    onError(error)
    throw error
  }
  for await (const chunk of body) {
    within(count(0, chunk.length))
    let at = 0
    let endAt = isEventStream ? 0 : chunk.length
    for (const byte of chunk) {
      at++
      bytes++
      if (isEventStream && isEventEnd(byte)) {
        bytes = 0
        endAt = at
        scan.restart()
      }
      if (isOfMessage(byte)) within(scan.errorAt(byte))
    }
    within(bytes > mostMessageBytes ? tooLarge() : null)
    if (endAt > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, endAt)])
      held = []
    }
    if (endAt < chunk.length) held.push(chunk.subarray(endAt))
    // Buffered chunks would be read without a pause, so other work gets its turn here.
    await setImmediate()
  }
  if (held.length > 0) yield Buffer.concat(held)
}

/** Returns a function that tells with each byte of a stream of events whether it ends one: it is an empty line. */
function eventEnds(): (byte: number) => boolean {
  let last = 0
  let lastOfLine = 0
  return (byte) => {
    const isReturn = byte === carriageReturn
    const isEnd = isReturn ? last === carriageReturn : byte === newline && lastOfLine === newline
    last = byte
    if (!isReturn) lastOfLine = byte
    return isEnd
  }
}

const dataField = Buffer.from('data:')

/**
 * Returns a function that tells with each byte of a stream of events whether it may be of a message: it ends a line, or is in
 * one that begins with `data:`. The first line always may, because marks can stand before it.
 */
function dataLines(): (byte: number) => boolean {
  /** Number of characters of `data:` matched so far; null: the line begins with something else. */
  let begun: number | null = dataField.length
  return (byte) => {
    if (byte === newline || byte === carriageReturn) {
      begun = 0
      return true
    }
    if (begun === null || begun === dataField.length) return begun !== null
    begun = byte === dataField[begun] ? begun + 1 : null
    return false
  }
}

/** Follows JSON while its characters arrive. A text ends with its line, whatever is before it. */
function messageScan() {
  let levels = 0
  let values = 0
  let inText = false
  let isEscaped = false
  return {
    restart() {
      levels = 0
      values = 0
    },
    /** Returns what is wrong once this character is there; null = nothing. */
    errorAt(code: number): ServerError | null {
      if (code === newline || code === carriageReturn) {
        inText = false
        isEscaped = false
      } else if (isEscaped) isEscaped = false
      else if (code === quote) inText = !inText
      else if (inText) isEscaped = code === backslash
      else if (code === comma) values++
      else if (code === openBrace || code === openBracket) {
        values++
        levels++
        if (levels > mostLevels) return tooDeep()
      } else if (code === closeBrace || code === closeBracket) levels = Math.max(0, levels - 1)
      return values > mostValues ? tooMany() : null
    },
  }
}

export function tooDeep(): ServerError {
  return new ServerError('too-much', 'The server sent JSON that is nested too deeply to be read.')
}

function tooMany(): ServerError {
  const words = `The server sent a message with more than ${formatCount(mostValues)} values, so it was stopped.`
  return new ServerError('too-much', words)
}

const windowMs = 10_000
const most = { messages: 2_000, bytes: 64 * mebibyte }

/** Returns a function that counts what a server sends, and returns the error once it is more than it may send in ten seconds. */
export function trafficLimit(): (messages: number, bytes: number) => ServerError | null {
  let since = 0
  let sent = { messages: 0, bytes: 0 }
  return (messages, bytes) => {
    const now = Date.now()
    if (now - since > windowMs) {
      since = now
      sent = { messages: 0, bytes: 0 }
    }
    sent.messages += messages
    sent.bytes += bytes
    if (sent.messages <= most.messages && sent.bytes <= most.bytes) return null
    return new ServerError('too-much', 'The server sent more than it may, so it was stopped.')
  }
}
