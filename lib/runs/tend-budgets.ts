import 'server-only'
import { deliverAlerts } from '@/lib/budgets/deliver-alerts'
import { pruneLedger } from '@/lib/budgets/prune-ledger'
import { releaseLeftBehind } from '@/lib/budgets/release-reservations'
import { log } from '@/lib/log'

const pruneEveryMs = 24 * 60 * 60_000

let prunedAt = 0
let delivering = false

/**
 * What a server does for budgets at each heartbeat: gives back what dead processes held, and, beside that, sends alerts
 * and once a day forgets old windows.
 */
export async function tendBudgets(): Promise<void> {
  await releaseLeftBehind()
  void deliver()
  if (Date.now() - prunedAt < pruneEveryMs) return
  prunedAt = Date.now()
  await pruneLedger()
}

/** A webhook may be slow, so nobody waits for it; what fails is tried again. */
async function deliver(): Promise<void> {
  if (delivering) return
  delivering = true
  try {
    await deliverAlerts()
  } catch (error) {
    log.warn({ source: 'budgets', error: String(error) }, 'Cannot send alerts; trying again')
  } finally {
    delivering = false
  }
}
