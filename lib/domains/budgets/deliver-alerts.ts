import { z } from 'zod'
import type { Tx } from '../../kernel/db'
import { firstPauseSeconds, maxAttempts, newsForHours } from './alert-attempts'
import { AlertFacts } from './alert-facts'
import { storedAlertWebhook } from './alert-webhook'
import { sendToWebhook } from './send-to-webhook'

const atOnce = 20

const Claimed = z.object({
  id: z.string(),
  budgetId: z.string(),
  windowStart: z.date(),
  percent: z.int(),
  facts: AlertFacts,
  at: z.date(),
  attempts: z.int(),
})

/**
 * Sends the alerts that are due to the webhook; nothing when none is set. A process claims an alert by postponing its
 * next attempt, so that no two send it at once. When a process dies before sending, the next attempt sends it.
 */
export async function deliverAlerts(tx: Tx): Promise<void> {
  const webhook = await storedAlertWebhook(tx)
  if (!webhook) return
  for (let count = 0; count < atOnce; count++) {
    const alert = await claimAlert(tx)
    if (!alert) return
    const { attempts: _attempts, facts, ...place } = alert
    const trouble = await sendToWebhook(tx, webhook, { type: 'budget-alert', ...place, ...facts })
    await tx.budgetAlert.updateMany({
      where: { id: alert.id, deliveredAt: null },
      data: trouble === null ? { deliveredAt: new Date(), lastError: '' } : { lastError: trouble },
    })
  }
}

async function claimAlert(tx: Tx): Promise<z.output<typeof Claimed> | null> {
  const rows = await tx.$queryRaw<unknown[]>`
    UPDATE budget_alerts SET attempts = attempts + 1,
      "nextAttemptAt" = now() AT TIME ZONE 'UTC' + make_interval(secs => ${firstPauseSeconds} * 2 ^ attempts)
    WHERE id = (
      SELECT id FROM budget_alerts
      WHERE "deliveredAt" IS NULL AND attempts < ${maxAttempts}
        AND at > now() AT TIME ZONE 'UTC' - make_interval(hours => ${newsForHours})
        AND ("nextAttemptAt" IS NULL OR "nextAttemptAt" <= now() AT TIME ZONE 'UTC')
      ORDER BY at, percent LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, "budgetId", "windowStart", percent, facts, at, attempts`
  return z.array(Claimed).parse(rows)[0] ?? null
}
