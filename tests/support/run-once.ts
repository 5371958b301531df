import exec from '@/lib/engines/tools/builtin/exec'
import type { UsableProgram } from '@/lib/engines/tools/tool-resources'
import { callToolDirectly } from './call-tool-directly'
import { memoryWorkspaces } from './memory-workspaces'

export type ProgramAnswer = {
  exitCode: number | null
  output: string
  errors?: string
  stopped?: string
}

/** Runs a program of the system in a workspace that is this folder, with a limit of so many MiB. */
export async function runOnce(
  root: string,
  [name = '', ...args]: readonly string[],
  mebibytes: number,
): Promise<ProgramAnswer> {
  const program: UsableProgram = {
    ...{ name, path: `/usr/bin/${name}`, first: [], rules: { subcommands: [], refused: [] } },
    ...{ network: false, ms: 30_000, memoryBytes: mebibytes * 1024 * 1024, readable: [] },
    ...{ isBoxed: true, trouble: null },
  }
  const asked = { workspace: 'handbook', program: name, arguments: args }
  const { content } = await callToolDirectly(exec, asked, {
    workspaces: memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable: true }]),
    programs: { names: async () => [name], find: async () => program },
  })
  return content as ProgramAnswer
}
