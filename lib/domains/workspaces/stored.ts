import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'

const withGroups = {
  groups: { select: { group: { select: { id: true, name: true } } } },
} as const satisfies Prisma.WorkspaceInclude

type Row = Prisma.WorkspaceGetPayload<{ include: typeof withGroups }>
type StoredWorkspace = ReturnType<typeof stored>

/** Returns a workspace; null = there is none. */
export async function findWorkspace(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredWorkspace | null> {
  const row = await client.workspace.findUnique({ where: reference, include: withGroups })
  return row && stored(row)
}

/** Returns all workspaces. */
export async function readWorkspaces(client: Tx): Promise<StoredWorkspace[]> {
  return (await client.workspace.findMany({ include: withGroups })).map(stored)
}

/** Returns the workspaces that a person may use now, by name: members those of their groups, admins all (SPEC A2a). */
export async function usableWorkspaces(
  client: Tx,
  { userId, role }: { userId: string; role: string },
) {
  const ofGroups = { some: { group: { members: { some: { userId } } } } }
  return client.workspace.findMany({
    where: { enabled: true, ...(role !== 'admin' && { groups: ofGroups }) },
    select: { id: true, name: true, realFolder: true, writable: true },
    orderBy: { name: 'asc' },
  })
}

/** Returns the name of the first workspace that the caller may use and tools may write in; null = there is none. */
export async function writableWorkspace({ actor }: Ctx): Promise<string | null> {
  const usable = await usableWorkspaces(db(), actor)
  return usable.find(({ writable }) => writable)?.name ?? null
}

function stored({ groups: groupRows, ...row }: Row) {
  const groups = groupRows.map(({ group }) => group).sort((a, b) => (a.name < b.name ? -1 : 1))
  return { ...row, groups, groupIds: groups.map(({ id }) => id) }
}
