import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { inject } from 'vitest'
import type { RightsChange, RightsSite } from './rights-changes'

/** Starts another process that works on runs of this test's database. Resolves when it does. */
export async function startWorker(): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=react-server',
      '--liftoff-only',
      path.join(inject('programs'), 'engine-process.mjs'),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], env: process.env },
  )
  // The pipe stays open: a worker that has something to log must not die of it.
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('READY')) break
  }
  child.stdout.resume()
  return child
}

/** Lets a worker make a change of rights; resolves once that is committed. */
export async function changeInWorker(
  worker: Awaited<ReturnType<typeof startWorker>>,
  change: RightsChange,
  site: RightsSite,
): Promise<void> {
  worker.stdin.write(`${JSON.stringify({ change, site })}\n`)
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
