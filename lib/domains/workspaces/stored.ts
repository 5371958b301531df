import { groupLinks, usableBy, withGroups } from '@/lib/domains/rows/group-access'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'

type Row = Prisma.WorkspaceGetPayload<{ include: typeof groupLinks }>
type StoredWorkspace = ReturnType<typeof withGroups<Row>>

/** Returns a workspace; null = there is none. */
export async function findWorkspace(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredWorkspace | null> {
  const row = await client.workspace.findUnique({ where: reference, include: groupLinks })
  return row && withGroups(row)
}

/** Returns all workspaces. */
export async function readWorkspaces(client: Tx): Promise<StoredWorkspace[]> {
  return (await client.workspace.findMany({ include: groupLinks })).map(withGroups)
}

/** Returns the workspaces that a person may use now, by name: members those of their groups, admins all (SPEC A2a). */
export async function usableWorkspaces(client: Tx, person: { userId: string; role: string }) {
  return client.workspace.findMany({
    where: usableBy(person),
    select: { id: true, name: true, realFolder: true, writable: true },
    orderBy: { name: 'asc' },
  })
}

/** Returns the name of the first workspace that the caller may use and tools may write in; null = there is none. */
export async function writableWorkspace({ actor }: Ctx): Promise<string | null> {
  const usable = await usableWorkspaces(db(), actor)
  return usable.find(({ writable }) => writable)?.name ?? null
}
