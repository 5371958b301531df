import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { ExecAnswer, execIn } from './exec-in'

/** The user that no file belongs to. */
export const nobodyId = 65_534

let compiled: Promise<string> | null = null

/** Runs a command as `execIn` does, in a server that is not root. Only root can start one. Rejects with the tool's refusal. */
export async function execAsNobody(asked: Parameters<typeof execIn>[0]): Promise<ExecAnswer> {
  compiled ??= compile()
  const program = await compiled
  const running = promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-', JSON.stringify(asked)],
    {
      uid: nobodyId,
      gid: nobodyId,
      cwd: '/',
      env: Object({ PATH: '/usr/local/bin:/usr/bin:/bin' }),
    },
  )
  // From its input, because the user may not read files of the checkout.
  running.child.stdin?.end(program)
  const answer = JSON.parse((await running).stdout)
  if ('refused' in answer) throw new Error(answer.refused)
  return answer
}

async function compile(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.resolve('tests/support/command-process.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['react-server'],
    banner: {
      js: "import { createRequire as made } from 'node:module'; const require = made('file:///')",
    },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
