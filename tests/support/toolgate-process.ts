import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('../../bin/toolgate', import.meta.url))

export type Finished = { code: number | null; stdout: string; stderr: string }

/** Starts the command line on this test's database, from a folder that is not the checkout. */
export function startToolgate(
  args: string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  return spawn(file, args, { cwd: tmpdir(), env: { ...process.env, ...env } })
}

/** Runs one command to its end; `input` is what is piped into it. */
export async function toolgate(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Finished> {
  const child = startToolgate(args, env)
  child.stdin.end(input)
  return finish(child)
}

/** What a process wrote from now on, and how it ended. */
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
