import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'

const withGroups = {
  groups: { select: { group: { select: { id: true, name: true } } } },
} as const satisfies Prisma.StorageInclude

type Row = Prisma.StorageGetPayload<{ include: typeof withGroups }>
type Sums = { assets: number; bytes: number }
type StoredStorage = ReturnType<typeof stored>

/** Returns a storage; null = there is none. */
export async function findStorage(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredStorage | null> {
  const row = await client.storage.findUnique({ where: reference, include: withGroups })
  if (!row) return null
  const sums = await sumsOf(client, [row.id])
  return stored(row, sums)
}

/** Returns all storages. */
export async function readStorages(client: Tx): Promise<StoredStorage[]> {
  const rows = await client.storage.findMany({ include: withGroups })
  const sums = await sumsOf(
    client,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => stored(row, sums))
}

/** Returns how many assets each storage has, and their bytes, without deleted ones. */
export async function sumsOf(client: Tx, ids: string[]): Promise<ReadonlyMap<string, Sums>> {
  const rows = await client.asset.groupBy({
    by: ['storageId'],
    where: { storageId: { in: ids }, deletedAt: null },
    _count: true,
    _sum: { bytes: true },
  })
  return new Map(
    rows.map(({ storageId, _count, _sum }) => [
      storageId,
      { assets: _count, bytes: _sum.bytes ?? 0 },
    ]),
  )
}

type Person = { userId: string; role: string }

/** Returns the condition on storages that a person may use now: members those of their groups, admins all (SPEC A2a). */
export function usableBy({ userId, role }: Person): Prisma.StorageWhereInput {
  const ofGroups = { some: { group: { members: { some: { userId } } } } }
  return { enabled: true, ...(role !== 'admin' && { groups: ofGroups }) }
}

function stored({ groups: groupRows, ...row }: Row, sums: ReadonlyMap<string, Sums>) {
  const groups = groupRows.map(({ group }) => group).sort((a, b) => (a.name < b.name ? -1 : 1))
  const { assets, bytes } = sums.get(row.id) ?? { assets: 0, bytes: 0 }
  return { ...row, groups, groupIds: groups.map(({ id }) => id), assets, bytes }
}
