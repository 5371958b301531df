import { linked, relinked } from '@/lib/domains/rows/group-access'
import { isLimitedKey } from '@/lib/domains/rows/runs-within-key'
import { opensWorkspace } from '@/lib/edge/persons-acts'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { folderOwnerProblem } from '@/lib/engines/programs/workspace-owner'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { wordInside } from '@/lib/kernel/protected-folders'
import { lastWrites } from './file-versions'
import { folderProblem, makeFolder, needsLinux, refuseProtected, resolveFolder } from './folder'
import { workspaces } from './shape'
import { findWorkspace, readWorkspaces } from './stored'

/** The operations on workspaces. Opening a folder to tools needs a fresh proof. */
export const workspaceVerbs = resourceVerbs(workspaces, {
  summaries: {
    create: 'Adds a workspace, which is a folder of the server that tools may use.',
    update: 'Changes a workspace, or switches it. Fields that are left out stay.',
    remove: 'Deletes a workspace and what is kept of files that tools wrote. Its files stay.',
    list: 'Lists workspaces.',
    read: 'Returns one workspace with the last writes of tools to it.',
  },
  most: 100,
  rows: readWorkspaces,
  orders: { folder: ({ realFolder }) => realFolder.toLowerCase() },
  store: {
    count: (client) => client.workspace.count(),
    find: findWorkspace,
    insert: async (tx, values) =>
      tx.workspace.create({
        data: { ...linked(values), realFolder: await resolveFolder(values.folder) },
      }),
    write: async (tx, id, { folder, ...changes }) =>
      tx.workspace.update({
        where: { id },
        data: {
          ...relinked(changes),
          ...(folder !== undefined && { folder, realFolder: await resolveFolder(folder) }),
        },
      }),
    remove: ({ tx }, { id }) => tx.workspace.delete({ where: { id } }),
  },
  needsReauthentication: true,
  personsAct: (change) => (change.values && opensWorkspace(change) ? 'workspace' : null),
  // A folder that hangs must not hold the transaction.
  prepare: async ({ folder, createFolder, enabled, writable }, before) => {
    const isWritable = writable ?? before?.writable ?? false
    if (folder === undefined) {
      if (!before || !(enabled || writable)) return
      await refuseProtected(before.realFolder)
      if (isWritable) await refuseCommands(before.realFolder)
      return
    }
    if (process.platform !== 'linux') throw new ValidationError({ folder: needsLinux })
    if (createFolder) await makeFolder(folder)
    const realFolder = await resolveFolder(folder)
    if (isWritable) await refuseCommands(realFolder)
  },
  audited: ({ realFolder }) => ({ realFolder }),
  listed: ({ realFolder }) => ({ realFolder }),
  detail: async ({ id, realFolder }, ctx) => ({
    trouble: await folderProblem(realFolder),
    noPrograms: await folderOwnerProblem(realFolder),
    // Writes are of runs, which a limited key sees on their own.
    writes: isLimitedKey(ctx) ? [] : await lastWrites(db(), id),
  }),
  searched: ({ name, folder, realFolder, note }) => [name, folder, realFolder, note],
})

/** Throws ValidationError where a folder that tools may write in has what an MCP server is started with. */
async function refuseCommands(realFolder: string): Promise<void> {
  for (const { name, command, cwd } of await db().server.findMany({ where: { kind: 'stdio' } })) {
    const inside = (words: readonly string[]) => wordInside(words, [realFolder], cwd)
    const word = (cwd && (await inside([cwd]))) || (await inside(command))
    if (!word) continue
    const words = `The server ${name} is started with ${word}, which is in this folder. Tools may not write there.`
    throw new ValidationError({ folder: words })
  }
}
