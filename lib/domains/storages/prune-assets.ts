import { type Tx, unaudited } from '@/lib/kernel/db'

/** For so long, a deleted asset can be restored. */
const keptDays = 30

/** Removes assets for good that were deleted longer ago than they can be restored. Their bytes go with the next sweep of files. */
export async function pruneAssets(client: Tx): Promise<void> {
  const before = new Date(Date.now() - keptDays * 24 * 60 * 60_000)
  const { asset } = unaudited(client, 'what somebody deleted, and nobody restored in time')
  await asset.deleteMany({ where: { deletedAt: { lt: before } } })
}
