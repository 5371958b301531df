import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { inject } from 'vitest'

/** Another process that works on runs of this test's database; resolves when it does. */
export async function startWorker(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=react-server',
      '--liftoff-only',
      path.join(inject('programs'), 'engine-process.mjs'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: process.env },
  )
  // The pipe stays open: a worker that has something to log must not die of it.
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('READY')) break
  }
  child.stdout.resume()
  return child
}
