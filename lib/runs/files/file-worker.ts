import { parentPort } from 'node:worker_threads'
import { ValidationError } from '../../kernel/errors'
import { type Examined, examineFile } from './examine-file'

export type FileQuestion = { id: number; content: Uint8Array<ArrayBuffer> }
/** The bytes go back to who sent them: they are in one thread at a time, and never copied. */
export type FileAnswer = FileQuestion &
  (
    | { type: 'examined'; examined: Examined }
    | { type: 'refused'; fields: Record<string, string> }
    | { type: 'failed'; message: string }
  )

// The program of a thread of its own; `scripts/generate-file-worker.mjs` makes one text of it.
parentPort?.on('message', async ({ id, content }: FileQuestion) => {
  const answer = await examine(content)
  parentPort?.postMessage({ id, content, ...answer }, [content.buffer])
})

async function examine(content: Uint8Array) {
  try {
    return { type: 'examined', examined: await examineFile(content) }
  } catch (error) {
    if (error instanceof ValidationError) return { type: 'refused', fields: error.fields }
    return { type: 'failed', message: String(error) }
  }
}
