import exec from '@/lib/engines/tools/builtin/exec'
import type { UsableProgram } from '@/lib/engines/tools/tool-resources'
import type { LeftOut } from '@/lib/protocol/tool'
import { callToolDirectly } from './call-tool-directly'
import { memoryWorkspaces } from './memory-workspaces'

export type ExecAnswer = {
  exitCode: number | null
  output: string
  errors?: string
  stopped?: string
  leftOut?: readonly LeftOut[]
}

type Asked = {
  root: string
  argv: readonly [program: string, ...args: string[]]
  folder?: string
  isWritable?: boolean
  over?: Partial<UsableProgram>
  signal?: AbortSignal
  tell?: (text: string) => void
}

/** Returns a workspace in a folder and one program of the system, as the tool finds them. */
export function execResources({
  root,
  path,
  isWritable = true,
  over,
}: Pick<Asked, 'root' | 'isWritable' | 'over'> & { path: string }) {
  const program: UsableProgram = {
    name: 'program',
    path,
    first: [],
    rules: { subcommands: [], refused: [] },
    network: false,
    ms: 20_000,
    memoryBytes: 256 * 1024 * 1024,
    disk: { callBytes: 1024 ** 3, workspaceBytes: 10 * 1024 ** 3, freeBytes: 0 },
    readable: [],
    isBoxed: true,
    problem: null,
    ...over,
  }
  return {
    workspaces: memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable }]),
    programs: { names: async () => ['program'], find: async () => program },
  }
}

/** Runs a program of the system by the tool, without rules for its arguments, in the sandbox of a workspace. */
export async function execIn({ argv: [path, ...args], folder = '', signal, tell, ...rest }: Asked) {
  const { content, leftOut } = await callToolDirectly(
    exec,
    { workspace: 'handbook', program: 'program', arguments: args, folder },
    execResources({ ...rest, path }),
    signal,
    tell,
  )
  return { ...(Object(content) as ExecAnswer), ...(leftOut && { leftOut }) }
}
