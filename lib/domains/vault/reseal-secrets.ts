import type { VaultSecret } from '../../generated/prisma/client'
import { db, withTransaction } from '../../kernel/db'
import type { VersionedKey } from './canary'
import { type Sealed, seal } from './seal'
import { openWithAnyKey } from './vault-key'

const batchSize = 20

/**
 * Seals again, with `to`, whatever another key sealed. Who replaces a secret meanwhile uses that key already, and wins.
 * `unreadable` = ids of secrets that none of the keys opens; they are left alone.
 */
export async function resealSecrets(
  to: VersionedKey,
): Promise<{ resealed: number; unreadable: string[] }> {
  const unreadable: string[] = []
  let resealed = 0
  let after: string | undefined
  for (;;) {
    const rows = await db().vaultSecret.findMany({
      where: {
        keyVersion: { not: to.keyVersion },
        ...(after !== undefined && { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: batchSize,
    })
    after = rows.at(-1)?.id
    if (after === undefined) return { resealed, unreadable }
    const pairs = rows.map((row) => ({ row, sealed: sealAgain(row, to) }))
    unreadable.push(...pairs.filter(({ sealed }) => sealed === null).map(({ row }) => row.id))
    resealed += await writeBatch(pairs, to.keyVersion)
  }
}

function sealAgain(row: VaultSecret, { key }: VersionedKey): Sealed | null {
  const associated = `${row.purpose}:${row.id}`
  const opened = openWithAnyKey(associated, row)
  return opened && seal(key, associated, opened.plaintext)
}

function writeBatch(
  pairs: { row: VaultSecret; sealed: Sealed | null }[],
  keyVersion: number,
): Promise<number> {
  return withTransaction(async (tx) => {
    let written = 0
    for (const { row, sealed } of pairs) {
      if (!sealed) continue
      const { count } = await tx.vaultSecret.updateMany({
        where: { id: row.id, keyVersion: row.keyVersion },
        // The value is as old as it was.
        data: { ...sealed, keyVersion, updatedAt: row.updatedAt },
      })
      written += count
    }
    return written
  })
}
