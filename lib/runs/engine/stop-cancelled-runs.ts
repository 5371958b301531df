import 'server-only'
import { db } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { liveRuns } from './live-runs'

/** Stops live runs that were cancelled; `runId` empty = checks all of them. */
export async function stopCancelledRuns(runId: string): Promise<void> {
  const ids = runId === '' ? [...liveRuns.keys()] : [runId].filter((id) => liveRuns.has(id))
  if (ids.length === 0) return
  try {
    const cancelled = await db().run.findMany({
      where: { id: { in: ids }, cancelledBy: { not: null } },
      select: { id: true, cancelledBy: true, cancelReason: true },
    })
    for (const run of cancelled) {
      liveRuns.get(run.id)?.stop({
        type: 'cancelled',
        by: run.cancelledBy ?? 'unknown',
        reason: run.cancelReason ?? '',
      })
    }
  } catch (error) {
    log.error(
      { source: 'engine', error: String(error) },
      'Cannot read which runs to stop; trying again',
    )
    setTimeout(() => void stopCancelledRuns(runId), 500).unref()
  }
}
