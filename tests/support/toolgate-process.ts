import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  fork,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { Question } from './toolgate-worker'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export type Finished = { code: number | null; stdout: string; stderr: string }

/** Starts the command line on this test's database, from a folder that is not the checkout. */
export function startToolgate(
  args: string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(at('../../bin/toolgate'), args, {
    cwd: tmpdir(),
    env: { ...process.env, ...env },
  })
}

/** Runs one command to its end, in a process that stays for the next one; `input` is what is piped into it. */
export function toolgate(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Finished> {
  return ask({ args, input, env: { ...process.env, ...env } })
}

/** Returns what a process writes from now on, and how it ends. */
export function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...written }))
  })
}

let worker: Promise<ChildProcess> | undefined
let last: Promise<unknown> = Promise.resolve()

/** Asks one question at a time, because the answers have no id. */
function ask(question: Question): Promise<Finished> {
  const mine = last.then(async () => {
    worker ??= startWorker()
    const child = await worker
    const answered = once(child, 'message')
    child.send(question)
    const [finished] = await answered
    return finished as Finished
  })
  last = mine.catch(() => undefined)
  return mine
}

/** Ends with the test's own process, or when that lets go of it. */
async function startWorker(): Promise<ChildProcess> {
  const child = fork(path.join(inject('programs'), 'toolgate-worker.mjs'), [], {
    cwd: tmpdir(),
    execArgv: ['--conditions=react-server', '--liftoff-only'],
  })
  await once(child, 'message')
  child.unref()
  child.channel?.unref()
  return child
}
