import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { TooComplexError } from './html-text'
import { limitAllocations } from './limit-allocations'
import { type PageQuestion, type PageText, pageText } from './page-text'

export type PageAnswer = { type: 'read'; page: PageText } | { type: 'too-complex' | 'unreadable' }

// Linux gives each thread a priority of its own: the pages, streams and runs of this process come first. Elsewhere this
// would slow the whole process down.
if (parentPort && process.platform === 'linux')
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// The program of a thread of its own; `scripts/generate-workers.mjs` makes one text of it.
parentPort?.once('message', async (question: PageQuestion) => {
  limitAllocations()
  const answer = await read(question)
  parentPort?.postMessage(answer)
})

/** Returns what was read. What went wrong is not passed on: it is the document's own text, or a detail of a library. */
async function read(question: PageQuestion): Promise<PageAnswer> {
  try {
    return { type: 'read', page: await pageText(question) }
  } catch (error) {
    return { type: error instanceof TooComplexError ? 'too-complex' : 'unreadable' }
  }
}
