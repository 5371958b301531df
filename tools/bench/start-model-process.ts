import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type ModelProcess = { url: string; pid: number; close: () => Promise<void> }

/** Starts the tests' model server in a process of its own, so that its work is not counted as ours. */
export async function startModelProcess(): Promise<ModelProcess> {
  const script = 'tests/support/model-server/main.ts'
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--no-record'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\S+/.exec(line)?.[0]
    if (url === undefined) continue
    const close = async () => {
      child.kill()
      await gone
    }
    return { url, pid: child.pid ?? 0, close }
  }
  throw new Error('The model server did not start.')
}
