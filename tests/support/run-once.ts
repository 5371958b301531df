import type { DiskLimits } from '@/lib/engines/programs/disk-use'
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
  { isWritable = true, ...disk }: Partial<DiskLimits & { isWritable: boolean }> = {},
): Promise<ProgramAnswer> {
  const program: UsableProgram = {
    ...{ name, path: `/usr/bin/${name}`, first: [], rules: { subcommands: [], refused: [] } },
    ...{ network: false, ms: 30_000, memoryBytes: mebibytes * 1024 * 1024, readable: [] },
    disk: { callBytes: 1024 ** 3, workspaceBytes: 10 * 1024 ** 3, freeBytes: 0, ...disk },
    ...{ isBoxed: true, trouble: null },
  }
  const asked = { workspace: 'handbook', program: name, arguments: args }
  const { content } = await callToolDirectly(exec, asked, {
    workspaces: memoryWorkspaces([{ id: 'w', name: 'handbook', root, isWritable }]),
    programs: { names: async () => [name], find: async () => program },
  })
  return content as ProgramAnswer
}
