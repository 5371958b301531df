import 'server-only'
import { db, isUnreachable } from '@/lib/db'
import { log } from '@/lib/log'
import { showFreeze } from '@/lib/settings/read-freeze'
import { coalesced } from './coalesced'
import { liveRuns } from './live-runs'

const retryMs = 500

/**
 * Ends every run this process works on when the site is frozen, for whatever reason (SPEC section 4, gate 2). Resolves
 * after a look that began no earlier than this, however many ask at once.
 */
export const stopFrozenRuns = coalesced(lookForFreeze)

async function lookForFreeze(): Promise<void> {
  if (liveRuns.size === 0) return
  try {
    const freeze = await showFreeze(db())
    if (!freeze) return
    const { by, reason } = freeze
    for (const run of liveRuns.values()) run.stop({ type: 'frozen', by, reason })
  } catch (error) {
    log.error({ source: 'engine', error: String(error) }, 'Cannot read whether the site is frozen')
    if (isUnreachable(error)) setTimeout(() => void stopFrozenRuns(), retryMs).unref()
  }
}
