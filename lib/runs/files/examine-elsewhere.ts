import 'server-only'
import { Worker } from 'node:worker_threads'
import { fileWorkerProgram } from '@/lib/generated/file-worker'
import { UnavailableError, ValidationError } from '@/lib/kernel/errors'
import type { Examined } from './examine-file'
import type { FileAnswer, FileQuestion } from './file-worker'

/** A file of 20 MiB may take hundreds of megabytes to read. A thread that takes more ends, and the process goes on. */
const mostMebibytes = 1_024
/** A thread without work ends after this, with its memory. */
const idleMs = 60_000

type ExaminedContent = Examined & Pick<FileAnswer, 'content'>
type Waiting = {
  resolve: (examined: ExaminedContent) => void
  reject: (error: unknown) => void
}
type Thread = { worker: Worker; waiting: Map<number, Waiting>; idle?: NodeJS.Timeout | undefined }

/** The thread of this process while it has one. */
let running: Thread | undefined
let lastId = 0

/**
 * Examines a file in a thread of its own, so that pages, streams and runs of this process do not wait for it (SPEC A9).
 * The bytes of the pieces are moved there, and come back as one: use those of the answer. Throws what `examineFile` throws.
 */
export function examineElsewhere(pieces: FileQuestion['pieces']): Promise<ExaminedContent> {
  running ??= openThread()
  const thread = running
  clearTimeout(thread.idle)
  const id = ++lastId
  return new Promise((resolve, reject) => {
    thread.waiting.set(id, { resolve, reject })
    // While somebody waits, the process may not end.
    thread.worker.ref()
    thread.worker.postMessage(
      { id, pieces } satisfies FileQuestion,
      pieces.map(({ buffer }) => buffer),
    )
  })
}

function openThread(): Thread {
  const resourceLimits = { maxOldGenerationSizeMb: mostMebibytes }
  const worker = new Worker(fileWorkerProgram, { eval: true, resourceLimits })
  const thread: Thread = { worker, waiting: new Map() }
  const close = () => {
    if (running === thread) running = undefined
    void worker.terminate()
  }
  const lose = () => {
    close()
    for (const { reject } of thread.waiting.values()) {
      reject(new UnavailableError('The file could not be read. Try again, or send a smaller one.'))
    }
    thread.waiting.clear()
  }
  worker.on('message', (answer: FileAnswer) => {
    settle(thread, answer)
    if (thread.waiting.size > 0) return
    worker.unref()
    thread.idle = setTimeout(close, idleMs).unref()
  })
  worker.on('error', lose)
  worker.on('exit', lose)
  return thread
}

function settle({ waiting }: Thread, answer: FileAnswer): void {
  const pending = waiting.get(answer.id)
  waiting.delete(answer.id)
  switch (answer.type) {
    case 'examined':
      pending?.resolve({ ...answer.examined, content: answer.content })
      break
    case 'refused':
      pending?.reject(new ValidationError(answer.fields))
      break
    case 'failed':
      pending?.reject(new Error(answer.message))
      break
    default:
      answer satisfies never
  }
}
