import { z } from 'zod'
import type { Tx } from '../db'

export const freezeKey = 'freeze'

/** The site-wide kill switch. `at` is ISO text in UTC. */
export const Freeze = z.object({ reason: z.string(), by: z.string(), at: z.iso.datetime() })
export type Freeze = z.infer<typeof Freeze>

/** Null = not frozen. A value that cannot be read throws: the gates then say no. */
export async function readFreeze(tx: Tx): Promise<Freeze | null> {
  const row = await tx.setting.findUnique({ where: { key: freezeKey } })
  return row ? Freeze.parse(row.value) : null
}
