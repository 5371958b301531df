import type { Expected, Wire } from '../recordings'

/** One shape that servers send: who sends it, where that is written, the bytes, and what they mean. */
export type DialectCase = {
  name: string
  wire: Wire
  /** The page or client type that has the shape, and when it was read; null = seen in reports only. */
  source: string | null
  answer: string
  expected: Expected
  /** The answer as it is to go back; absent = the portable form has all of it. */
  native?: unknown
}

type Row = [
  name: string,
  source: string | null,
  answer: string,
  expected: Expected,
  native?: unknown,
]

export function casesOf(wire: Wire, rows: readonly Row[]): DialectCase[] {
  return rows.map(([name, source, answer, expected, native]) => ({
    name,
    wire,
    source,
    answer,
    expected,
    ...(native === undefined ? {} : { native }),
  }))
}

/** Returns the events as a stream. Text is sent as it is. */
export function sse(...events: (object | string)[]): string {
  return events
    .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    .join('')
}

/** Returns a chunk of a Chat Completions stream. */
export function chunk(delta: object, finish_reason: string | null = null, more: object = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  }
}

/** Returns the chunk with token counts after the finish reason. */
export function counts(usage: object, more: object = {}) {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage, ...more }
}

export function piece(index: number | null, id: string | null, name?: string, args?: unknown) {
  const input = {
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  }
  return {
    ...(index === null ? {} : { index }),
    ...(id === null ? {} : { id, type: 'function' }),
    function: input,
  }
}

export const calls = (...tool_calls: object[]) => chunk({ tool_calls })

/** Calls as an answer gives them. */
export const called = (...given: [id: string | null, name: string, args: object][]) =>
  given.map(([id, name, args]) => ({ id, name, argumentsText: JSON.stringify(args) }))

export const thought = (text: string, signature: string | null = null) => ({
  text,
  signature,
  redacted: false,
})
