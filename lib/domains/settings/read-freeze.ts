import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'

export const freezeKey = 'freeze'

/** The site-wide kill switch. `at` is ISO text in UTC. */
export const Freeze = z.object({ reason: z.string(), by: z.string(), at: z.iso.datetime() })
export type Freeze = z.infer<typeof Freeze>

/** Returns the freeze; null = not frozen. Throws for a value that cannot be read, so that the gates deny. */
export async function readFreeze(tx: Tx): Promise<Freeze | null> {
  const row = await tx.setting.findUnique({ where: { key: freezeKey } })
  return row ? Freeze.parse(row.value) : null
}

/** The freeze for an invalid stored value. It still freezes, and the page that lifts it must still work. */
export const unreadableFreeze = {
  reason: 'The stored details of this freeze cannot be read. Unfreeze the site to remove it.',
  by: 'an unknown person',
}

/** Returns the freeze as people and gates see it; null = not frozen. */
export async function showFreeze(tx: Tx): Promise<Freeze | null> {
  const row = await tx.setting.findUnique({ where: { key: freezeKey } })
  if (!row) return null
  const freeze = Freeze.safeParse(row.value)
  if (freeze.success) return freeze.data
  return { ...unreadableFreeze, at: row.updatedAt.toISOString() }
}

/** Returns "ada@example.org froze this site at 2026-03-01 09:30 UTC: a leak." */
export function freezeSentence({ by, at, reason }: Freeze): string {
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`
  return `${by} froze this site at ${when}: ${reason.replace(/[.\s]+$/, '')}.`
}
