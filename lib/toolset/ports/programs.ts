import 'server-only'
import { findPlace, missingSandbox, serverProblem } from '@/lib/domains/programs/place'
import { wordsIn } from '@/lib/domains/programs/shared/program-rules'
import { findProgram, usablePrograms } from '@/lib/domains/programs/stored'
import { defaultSettings, SiteSettings } from '@/lib/domains/settings/shape'
import type { DiskLimits } from '@/lib/engines/programs/disk-use'
import type { ProgramResources } from '@/lib/engines/tools/tool-resources'
import type { Tx } from '@/lib/kernel/db'

const mebibyte = 1024 * 1024

/** Returns the programs of this server as tools may run them at this moment. */
export function programResources(tx: Tx): ProgramResources {
  return {
    names: async () => (await usablePrograms(tx)).map(({ name }) => name),
    find: async (name) => {
      const program = await findProgram(tx, { name })
      if (!program?.enabled) return null
      const workspaces = await tx.workspace.findMany({ select: { realFolder: true } })
      const place = await findPlace(
        program,
        workspaces.map(({ realFolder }) => realFolder),
      )
      return {
        name,
        path: place.ok ? place.path : program.path,
        first: wordsIn(program.first),
        rules: { subcommands: wordsIn(program.subcommands), refused: wordsIn(program.refused) },
        network: program.network,
        ms: program.seconds * 1_000,
        memoryBytes: program.memory * mebibyte,
        disk: await diskLimits(tx),
        readable: place.ok ? place.readable : [],
        isBoxed: (await serverProblem()) === null,
        problem: place.ok ? await missingSandbox(program) : place.problem,
      }
    },
  }
}

/** Bytes that stay free on the disk of a workspace, for the database and everything else. */
const freeBytes = 2_048 * mebibyte

async function diskLimits(tx: Tx): Promise<DiskLimits> {
  const rows = await tx.setting.findMany({
    where: { key: { in: ['programDisk', 'workspaceDisk'] } },
  })
  const bytes = (name: 'programDisk' | 'workspaceDisk') => {
    const stored = rows.find(({ key }) => key === name)?.value
    const value = SiteSettings.shape[name].safeParse(stored).data ?? defaultSettings[name]
    return value * mebibyte
  }
  return { callBytes: bytes('programDisk'), workspaceBytes: bytes('workspaceDisk'), freeBytes }
}
