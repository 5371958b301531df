import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import pLimit from 'p-limit'
import { openProcessLimit, type ProcessLimit } from '@/lib/engines/programs/process-limit'
import { ToolError } from '@/lib/protocol/tool'
import type { PageLinks, PageLinksQuestion } from '../sites/page-links'
import type { SitemapEntries, SitemapQuestion } from '../sites/sitemap-entries'
import type { Answer, PageQuestion, PageText } from './answer-question'

/** Heap limit of the process; more ends it. */
const mostMebibytes = 96
const mostYoungMebibytes = 4
/** Node 24 reserves 512 MiB at its start, which count as memory of the process although it uses none of them. */
const reservedMebibytes = Number.parseInt(process.versions.node, 10) >= 24 ? 512 : 0
/** The memory of the whole process: what a document unpacks to is outside of its heap. */
const mostMemoryMebibytes = 256 + reservedMebibytes
/** Its threads count, too. */
const mostProcesses = 64
/** From when its program is loaded, which takes long on a busy machine. */
const longestMs = 8_000
/** The processor time that ends it also when this process has ended and nobody watches it. */
const mostSeconds = 20

/** One document at a time, so that all of them together take no more memory than one. */
const oneAtATime = pLimit(1)

/**
 * Returns the text of what a web server sent, read in a process of its own that ends afterwards: what is too large for the
 * heap of a thread in one piece ends the whole process. Throws ToolError for what cannot be read, and rejects when `signal` ends it.
 */
export function readElsewhere(question: PageQuestion, signal: AbortSignal): Promise<PageText> {
  return askElsewhere(() => programFor(question), question, signal)
}

/** Returns the title of a page and its links to pages of its site, read as `readElsewhere` reads. */
export function readLinksElsewhere(
  question: PageLinksQuestion,
  signal: AbortSignal,
): Promise<PageLinks> {
  return askElsewhere(siteProgram, question, signal)
}

/** Returns what a sitemap has, read as `readElsewhere` reads. */
export function readSitemapElsewhere(
  question: SitemapQuestion,
  signal: AbortSignal,
): Promise<SitemapEntries> {
  return askElsewhere(siteProgram, question, signal)
}

/** Asks a program of this repository, which answers its question with a `T`. */
function askElsewhere<T>(
  load: () => Promise<string>,
  question: object,
  signal: AbortSignal,
): Promise<T> {
  return oneAtATime(async () => {
    signal.throwIfAborted()
    return runProgram<T>(await load(), question, signal)
  })
}

async function siteProgram(): Promise<string> {
  return (await import('@/lib/generated/site-worker')).siteWorkerProgram
}

/** Returns the program that reads this kind. They are large, so they are loaded when they are needed. */
async function programFor({ kind }: PageQuestion): Promise<string> {
  if (kind === 'pdf') return (await import('@/lib/generated/pdf-worker')).pdfWorkerProgram
  return (await import('@/lib/generated/page-worker')).pageWorkerProgram
}

async function runProgram<T>(program: string, question: object, signal: AbortSignal): Promise<T> {
  const group = await openProcessLimit({
    processes: mostProcesses,
    memoryBytes: mostMemoryMebibytes * 1024 * 1024,
  })
  const child = startProgram(program, group)
  const ended = new AbortController()
  let limit: NodeJS.Timeout | undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      const tooMuch = () => reject(tooHard())
      child.on('message', (answer: Answer<T>) => {
        if (answer.type === 'read') return resolve(answer.found)
        if (answer.type !== 'ready') {
          return reject(answer.type === 'unreadable' ? unreadable() : tooHard())
        }
        limit = setTimeout(tooMuch, longestMs)
        child.send(question, () => undefined)
      })
      child.once('error', reject)
      child.once('exit', tooMuch)
      signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
    })
  } finally {
    clearTimeout(limit)
    ended.abort()
    await end(child)
    void group.close()
  }
}

/** Joins the control groups, limits what the kernel limits of one process, and becomes the program. */
const begin = `while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift
ulimit -t ${mostSeconds}; ulimit -d ${mostMemoryMebibytes * 1024} 2>/dev/null; exec "$@"`

/** Starts a process that has this program and nothing else of the server: none of its variables and no output. */
function startProgram(program: string, { groups }: ProcessLimit): ChildProcess {
  const joined = groups.map((group) => `${group}/cgroup.procs`)
  const flags = [
    `--max-old-space-size=${mostMebibytes}`,
    `--max-semi-space-size=${mostYoungMebibytes}`,
    '-',
  ]
  const [command = '', ...args] = [
    // Without a shell, only this process limits it.
    ...(process.platform === 'win32' ? [] : ['/bin/sh', '-c', begin, 'sh', ...joined, '--']),
    process.execPath,
    ...flags,
  ]
  const child = spawn(command, args, {
    env: { NODE_ENV: 'production' },
    serialization: 'advanced',
    // Messages of its libraries about a document are dropped.
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  child.stdin?.on('error', () => undefined).end(program)
  return child
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
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
