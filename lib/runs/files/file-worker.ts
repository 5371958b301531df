import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ValidationError } from '@/lib/kernel/errors'
import { type Examined, examineFile } from './examine-file'

/** The bytes go to the thread and back: they are in one thread at a time, and joined in this one. */
export type FileQuestion = { id: number; pieces: Uint8Array<ArrayBuffer>[] }
export type FileAnswer = { id: number; content: Uint8Array<ArrayBuffer> } & (
  | { type: 'examined'; examined: Examined }
  | { type: 'refused'; fields: Record<string, string> }
  | { type: 'failed'; message: string }
)

// Linux gives each thread a priority of its own: the pages, streams and runs of this process come first. Elsewhere this
// would slow the whole process down.
if (parentPort && process.platform === 'linux')
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// The program of a thread of its own; `scripts/generate-workers.mjs` makes one text of it.
parentPort?.on('message', async ({ id, pieces }: FileQuestion) => {
  const content = joined(pieces)
  const answer = await examine(content)
  parentPort?.postMessage({ id, content, ...answer }, [content.buffer])
})

function joined(pieces: FileQuestion['pieces']): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    content.set(piece, at)
    at += piece.length
  }
  return content
}

async function examine(content: Uint8Array) {
  try {
    return { type: 'examined', examined: await examineFile(content) }
  } catch (error) {
    if (error instanceof ValidationError) return { type: 'refused', fields: error.fields }
    return { type: 'failed', message: String(error) }
  }
}
