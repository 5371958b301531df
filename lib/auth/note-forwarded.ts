import { z } from 'zod'
import { db, unaudited } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { processState } from '@/lib/kernel/process-state'

const key = 'forwarded-seen'
const everyMs = 3_600_000

const Seen = z.object({ at: z.iso.datetime() })

const notedAtMs = processState(() => 0)

/** Remembers for the doctor that a request named the client of a proxy; writes at most once an hour and process. */
export function noteForwarded(now = new Date()): void {
  if (now.getTime() - notedAtMs.value < everyMs) return
  notedAtMs.value = now.getTime()
  void storeForwarded(now).catch((error) =>
    log.warn({ source: 'auth', err: error }, 'Could not remember that a proxy sent a request'),
  )
}

async function storeForwarded(now: Date): Promise<void> {
  const value = { at: now.toISOString() }
  const { setting } = unaudited(db(), 'what a request looked like, for the doctor')
  await setting.upsert({ where: { key }, create: { key, value }, update: { value } })
}

/** Returns when a request last had a proxy's header while no proxy was trusted; null = never. */
export async function readForwardedSeen(): Promise<Date | null> {
  const row = await db().setting.findUnique({ where: { key } })
  const seen = Seen.safeParse(row?.value)
  return seen.success ? new Date(seen.data.at) : null
}
