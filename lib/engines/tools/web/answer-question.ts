import { constants, setPriority } from 'node:os'
import type { LeftOut } from '@/lib/protocol/tool'
import type { PageKind } from './page-kind'

/** `address`: where it is, for relative links. `start`, `most`: which part of its text is wanted, in characters. */
export type PageQuestion = {
  content: Uint8Array<ArrayBuffer>
  kind: PageKind
  charset: string | null
  address: string
  start: number
  most: number
}

/**
 * Facts about a whole document. `links`: number of links on a page; null: not counted. `hiddenFrom`: start of the text
 * that a page does not show at first, up to the end; null: none. `leftOut`: parts of the document that the text lacks.
 * `encoding`: how its text was decoded, in words, where that is not UTF-8; `undecoded`: number of characters that could
 * not be decoded.
 */
export type Whole = {
  title: string
  text: string
  links: number | null
  hiddenFrom: number | null
  leftOut: LeftOut[]
  encoding?: string
  undecoded?: number
}

/** The part of a document that is wanted. `total`: the characters of the whole text. */
export type PageText = Whole & { total: number }

/** `ready` comes first: the program is loaded, and takes its question. */
export type Answer<T> =
  | { type: 'ready' }
  | { type: 'read'; found: T }
  | { type: 'too-complex' | 'unreadable' }

/** A document that takes too long to read. */
export class TooComplexError extends Error {}

/** Answers the one question that this process is sent. It is a process for one document, which the server ends. */
export function answerQuestion<Q, T>(read: (question: Q) => T | Promise<T>): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('message', async (question: Q) => send(await answerTo(question, read)))
  send({ type: 'ready' })
}

function send(answer: Answer<unknown>): void {
  process.send?.(answer)
}

/** Returns what was read. What went wrong is not passed on: it is the document's own text, or a detail of a library. */
async function answerTo<Q, T>(
  question: Q,
  read: (question: Q) => T | Promise<T>,
): Promise<Answer<T>> {
  try {
    return { type: 'read', found: await read(question) }
  } catch (error) {
    return { type: error instanceof TooComplexError ? 'too-complex' : 'unreadable' }
  }
}

/** Returns the part of a document that a question wants. */
export function partOf({ start, most }: PageQuestion, { text, ...whole }: Whole): PageText {
  // A pair of surrogates is one character: half of one at an edge is replaced.
  const part = text.slice(start, start + most).toWellFormed()
  return { ...whole, text: part, total: text.length }
}
