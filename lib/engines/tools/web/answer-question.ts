import { constants, setPriority } from 'node:os'
import { TooComplexError } from './html-text'
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

/** `total`: the characters of the whole text. */
export type PageText = { title: string; text: string; total: number }

/** `ready` comes first: the program is loaded, and takes its question. */
export type PageAnswer =
  | { type: 'ready' }
  | { type: 'read'; page: PageText }
  | { type: 'too-complex' | 'unreadable' }

type Whole = { title: string; text: string }
type Read = (question: PageQuestion) => Whole | Promise<Whole>

/** Answers the one question that this process is sent. It is a process for one document, which the server ends. */
export function answerQuestion(read: Read): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('message', async (question: PageQuestion) => send(await answerTo(question, read)))
  send({ type: 'ready' })
}

function send(answer: PageAnswer): void {
  process.send?.(answer)
}

/** Returns what was read. What went wrong is not passed on: it is the document's own text, or a detail of a library. */
async function answerTo(question: PageQuestion, read: Read): Promise<PageAnswer> {
  try {
    const { title, text } = await read(question)
    const { start, most } = question
    // A pair of surrogates is one character: half of one at an edge is replaced.
    const part = text.slice(start, start + most).toWellFormed()
    return { type: 'read', page: { title, text: part, total: text.length } }
  } catch (error) {
    return { type: error instanceof TooComplexError ? 'too-complex' : 'unreadable' }
  }
}
