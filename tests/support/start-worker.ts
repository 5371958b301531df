import { type ChildProcess, spawn } from 'node:child_process'

/** Another process that works on runs of this test's database; resolves when it does. */
export async function startWorker(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', 'tests/support/engine-process.ts'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: process.env },
  )
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('READY')) break
  return child
}
