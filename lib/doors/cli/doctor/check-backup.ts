import { db } from '@/lib/kernel/db'
import { type Finding, ok, warn } from './finding'

const dayMs = 24 * 60 * 60_000
/** Days without a backup after which the doctor warns. */
const mostDays = 7

/** Says how old the last backup is, by the audit: each one that was written to its end has an entry there. */
export async function checkBackup(): Promise<Finding> {
  const check = 'Backup'
  const advice = 'Run: toolgate backup FILE (docs/backup.md)'
  const last = await db().auditEntry.findFirst({
    where: { action: 'site.back-up' },
    orderBy: { at: 'desc' },
    select: { at: true },
  })
  const first = await db().user.findFirst({
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  })
  const since = last?.at ?? first?.createdAt
  const days = since ? Math.floor((Date.now() - since.getTime()) / dayMs) : 0
  const words = last ? `the last one is of ${last.at.toISOString().slice(0, 10)}` : 'none yet'
  return days < mostDays ? ok(check, words) : warn(check, words, advice)
}
