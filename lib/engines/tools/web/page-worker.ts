import { parentPort } from 'node:worker_threads'
import { TooComplexError } from './html-text'
import { limitAllocations } from './limit-allocations'
import { type PageQuestion, type PageText, pageText } from './page-text'

/** `ready` comes first: the program is loaded, and takes its question. */
export type PageAnswer =
  | { type: 'ready' }
  | { type: 'read'; page: PageText }
  | { type: 'too-complex' | 'unreadable' }

// The program of a thread of its own; `scripts/generate-workers.mjs` makes one text of it.
parentPort?.once('message', async (question: PageQuestion) => {
  limitAllocations()
  const answer = await read(question)
  parentPort?.postMessage(answer)
})
parentPort?.postMessage({ type: 'ready' } satisfies PageAnswer)

/** Returns what was read. What went wrong is not passed on: it is the document's own text, or a detail of a library. */
async function read(question: PageQuestion): Promise<PageAnswer> {
  try {
    return { type: 'read', page: await pageText(question) }
  } catch (error) {
    return { type: error instanceof TooComplexError ? 'too-complex' : 'unreadable' }
  }
}
