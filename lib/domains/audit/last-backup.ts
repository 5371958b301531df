import type { Tx } from '../../kernel/db'

const dayMs = 24 * 60 * 60_000
/** Days without a backup after which people are told. */
const mostDays = 7

export type LastBackup = {
  /** Null = none was ever written. */
  at: Date | null
  /** Whole days since then, or since there are accounts; 0 = too few to tell anybody. */
  overdueDays: number
}

/** Returns when the last backup was written, by the audit: each that was written to its end has an entry there. */
export async function readLastBackup(client: Tx): Promise<LastBackup> {
  const last = await client.auditEntry.findFirst({
    where: { action: 'site.back-up' },
    orderBy: { at: 'desc' },
    select: { at: true },
  })
  const first = await client.user.aggregate({ _min: { createdAt: true } })
  const since = last?.at ?? first._min.createdAt
  const days = since ? Math.floor((Date.now() - since.getTime()) / dayMs) : 0
  return { at: last?.at ?? null, overdueDays: days < mostDays ? 0 : days }
}
