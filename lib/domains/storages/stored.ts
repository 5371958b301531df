import { groupLinks, withGroups } from '@/lib/domains/rows/group-access'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'

type Row = Prisma.StorageGetPayload<{ include: typeof groupLinks }>
type Sums = { assets: number; bytes: number }
type StoredStorage = ReturnType<typeof stored>

/** Returns a storage; null = there is none. */
export async function findStorage(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredStorage | null> {
  const row = await client.storage.findUnique({ where: reference, include: groupLinks })
  if (!row) return null
  const sums = await sumsOf(client, [row.id])
  return stored(row, sums)
}

/** Returns all storages. */
export async function readStorages(client: Tx): Promise<StoredStorage[]> {
  const rows = await client.storage.findMany({ include: groupLinks })
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

function stored(row: Row, sums: ReadonlyMap<string, Sums>) {
  const { assets, bytes } = sums.get(row.id) ?? { assets: 0, bytes: 0 }
  return { ...withGroups(row), assets, bytes }
}
