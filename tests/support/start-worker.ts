import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { inject } from 'vitest'
import type { RightsChange, RightsSite } from './rights-changes'
import type { RunSite } from './run-site'

/** A process that works on runs, and its id as their owner. */
export type Worker = ChildProcessByStdio<Writable, Readable, null> & { instanceId: string }

/** Runs a program as on another machine: with process ids and a host name of its own. It dies with its parent. */
const elsewhere = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--uts',
  '--fork',
  '--mount-proc',
  '--kill-child',
  'sh',
  '-c',
  'hostname elsewhere-$$-$(date +%N) && exec "$0" "$@"',
]

/**
 * Says whether this machine lets a program have process ids of its own. Where all tests must run (`CI`), they are tried in any
 * case, and fail where it does not.
 */
export function canRunElsewhere(): boolean {
  if (process.env.CI) return true
  const [program = '', ...rest] = elsewhere
  return spawnSync(program, [...rest, 'true']).status === 0
}

/** Those that run, also without the test that started them. */
const running = new Set<ChildProcess>()

/** Kills every worker that a test file left. */
export async function endWorkers(): Promise<void> {
  await Promise.all([...running].map(stopped))
}

/**
 * Starts another process that works on runs of this test's database. Resolves when it does. `times`: of production, or
 * those with which tests need not wait. A whole server has those of production and ends as one does.
 */
export async function startWorker({
  times = 'quick',
  onOtherHost = false,
  env = {},
}: {
  times?: 'quick' | 'production' | 'whole server'
  onOtherHost?: boolean
  env?: Record<string, string>
} = {}): Promise<Worker> {
  const [program = '', ...args] = [
    ...(onOtherHost ? elsewhere : []),
    process.execPath,
    '--conditions=react-server',
    '--liftoff-only',
    path.join(inject('programs'), 'engine-process.mjs'),
    times,
  ]
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  // The pipe stays open: a worker that has something to log must not die of it.
  let instanceId = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    instanceId = /READY (\S+)/.exec(String(chunk))?.[1] ?? ''
    if (instanceId !== '') break
  }
  if (instanceId === '') throw new Error('The worker ended before it was ready.')
  child.stdout.resume()
  return Object.assign(child, { instanceId })
}

/** A change of rights, or prompts that are started at the same moment. */
export type WorkerTask =
  | { change: RightsChange; site: RightsSite }
  | { prompts: string[]; site: RunSite }

/** Lets a worker do a task; resolves once what it did is committed. */
export async function doInWorker(worker: Worker, task: WorkerTask): Promise<void> {
  worker.stdin.write(`${JSON.stringify(task)}\n`)
  for (;;) {
    const [chunk] = await once(worker.stdout, 'data')
    if (String(chunk).includes('DONE')) return
  }
}

/** Kills a worker and resolves when it is gone. */
export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}
