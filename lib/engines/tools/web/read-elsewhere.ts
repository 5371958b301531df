import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { ToolError } from '@/lib/protocol/tool'
import type { PageQuestion, PageText } from './page-text'
import type { PageAnswer } from './page-worker'

/** What a thread may keep in its heap; more ends it, and the process goes on. */
const mostMebibytes = 96
/** From when its program is loaded, which takes long on a busy machine. */
const longestMs = 8_000

/** One document at a time, so that all of them together take no more memory than one. */
const oneAtATime = pLimit(1)

/**
 * Returns the text of what a web server sent, read in a thread of its own that ends afterwards. The bytes are moved there.
 * Throws ToolError for what cannot be read, and rejects when `signal` ends it.
 */
export function readElsewhere(question: PageQuestion, signal: AbortSignal): Promise<PageText> {
  return oneAtATime(async () => {
    signal.throwIfAborted()
    // The program has two megabytes: it is loaded when it is needed.
    const { pageWorkerProgram } = await import('@/lib/generated/page-worker')
    return runProgram(pageWorkerProgram, question, signal)
  })
}

async function runProgram(
  program: string,
  question: PageQuestion,
  signal: AbortSignal,
): Promise<PageText> {
  const worker = new Worker(program, {
    eval: true,
    env: {},
    execArgv: [],
    // What its libraries say about a document goes nowhere.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mostMebibytes, maxYoungGenerationSizeMb: 16 },
  })
  const ended = new AbortController()
  let limit: NodeJS.Timeout | undefined
  try {
    return await new Promise<PageText>((resolve, reject) => {
      const tooMuch = () => reject(tooHard())
      worker.on('message', (answer: PageAnswer) => {
        if (answer.type === 'read') return resolve(answer.page)
        if (answer.type !== 'ready') {
          return reject(answer.type === 'unreadable' ? unreadable() : tooHard())
        }
        limit = setTimeout(tooMuch, longestMs)
        worker.postMessage(question, [question.content.buffer])
      })
      worker.once('error', tooMuch)
      worker.once('exit', tooMuch)
      signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
    })
  } finally {
    clearTimeout(limit)
    ended.abort()
    await worker.terminate()
  }
}

function tooHard(): ToolError {
  return new ToolError(
    'too-complex',
    'This document takes too much time or memory to read. Ask for another address.',
  )
}

function unreadable(): ToolError {
  return new ToolError(
    'unreadable',
    'This document is damaged or encrypted and cannot be read. Ask for another address.',
  )
}
