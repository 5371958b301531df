import { db } from '../db'
import { addressPrefix } from './client-address'

const rememberedMs = 90 * 86_400_000

/**
 * Address prefixes from which this account signed in during the last 90 days; none for an unknown account. One
 * statement either way, so that its time does not tell whether the account exists.
 */
export async function readGoodPrefixes(account: string, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - rememberedMs).toISOString()
  const rows = await db().$queryRaw<{ ipAddress: string }[]>`
    SELECT DISTINCT sessions."ipAddress" FROM users JOIN sessions ON sessions."userId" = users.id
    WHERE users.email = ${account.trim().toLowerCase()} AND sessions."ipAddress" IS NOT NULL
      AND sessions."createdAt" > ${since}::timestamp
    LIMIT 500`
  return [...new Set(rows.map(({ ipAddress }) => addressPrefix(ipAddress)))]
}
