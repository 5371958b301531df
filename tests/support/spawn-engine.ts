import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a process of its own that works on the runs of this test's database. */
export async function spawnEngine(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=react-server', '--import', 'tsx', 'tests/support/engine-process.ts'],
    { stdio: ['ignore', 'pipe', 'inherit'], env: process.env },
  )
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('READY')) break
  return child
}

/** Ends it with no warning. */
export async function killEngine(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
