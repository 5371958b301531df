import 'server-only'
import { setTimeout as wait } from 'node:timers/promises'
import { isOutage } from '@/lib/kernel/database-errors'

/**
 * Waiting of a run: the pause after a failure, the time for which an unreadable policy is read again before a call is
 * refused because of it, and the permission to wait on.
 */
export type RetryPolicy = { retryMs: number; unreadableMs: number; goesOn: () => boolean }

/** Does `work`, and again until the database answers and has room. Other errors, and those when it may not wait, reject. */
export async function waitOut<T>(
  work: () => Promise<T>,
  { retryMs, goesOn }: Pick<RetryPolicy, 'retryMs' | 'goesOn'>,
): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || !goesOn()) throw error
      await wait(retryMs)
    }
  }
}
