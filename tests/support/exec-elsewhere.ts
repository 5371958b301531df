import { type ExecFileOptions, execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { ExecAnswer, execIn } from './exec-in'

/** The user that no file belongs to. */
export const nobodyId = 65_534

const node = [process.execPath, '--input-type=module', '-']
const PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * Runs a command as `execIn` does, in a server that is not root. Only root can start one. `starter`: a command that starts the
 * server. Rejects with the tool's refusal.
 */
export async function execAsNobody(
  input: Parameters<typeof execIn>[0],
  starter: string[] = [],
): Promise<ExecAnswer> {
  const command = [...starter, ...node, JSON.stringify(input)]
  const answer = await answerOf(command, { uid: nobodyId, gid: nobodyId })
  if ('refused' in answer) throw new Error(answer.refused)
  return answer
}

/** Returns why a server has no sandbox in which a script stands for bubblewrap. Only root can start one. */
export async function problemWith(script: string): Promise<string | null> {
  const mounts = 'mount --bind "$1" /usr/bin/bwrap && shift && exec "$@"'
  const { trouble } = await answerOf(['unshare', '-m', 'sh', '-c', mounts, 'sh', script, ...node])
  return trouble
}

let compiled: Promise<string> | null = null

async function answerOf([file = '', ...args]: string[], options: ExecFileOptions = {}) {
  compiled ??= compile()
  const program = await compiled
  const running = promisify(execFile)(file, args, { ...options, cwd: '/', env: Object({ PATH }) })
  // From its input, because the user may not read files of the checkout.
  running.child.stdin?.end(program)
  return JSON.parse(String((await running).stdout))
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
