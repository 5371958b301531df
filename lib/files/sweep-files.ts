import 'server-only'
import { db } from '../db'
import { log } from '../log'

const everyMs = 10 * 60_000
let sweptAt = 0

/** What a server does for files at each heartbeat: every ten minutes, those that nothing needs are removed. */
export async function tendFiles(): Promise<void> {
  if (Date.now() - sweptAt < everyMs) return
  sweptAt = Date.now()
  try {
    await sweepFiles()
  } catch (error) {
    // Bytes that somebody uploads again at this very moment stay; the next time they are looked at anew.
    log.warn({ source: 'files', error: String(error) }, 'Cannot remove old files; trying again')
  }
}

/** Removes files that no run used within a day, those of deleted runs, and bytes that belong to no file. */
export async function sweepFiles(): Promise<void> {
  const dayAgo = new Date(Date.now() - 24 * 60 * 60_000)
  await db().storedFile.deleteMany({
    where: { runs: { none: {} }, OR: [{ createdAt: { lt: dayAgo } }, { usedAt: { not: null } }] },
  })
  await db().fileContent.deleteMany({ where: { files: { none: {} } } })
}
