import { type Ctx, requireRole } from '../../kernel/context'
import { db } from '../../kernel/db'
import { maxAttempts, newsForHours } from './alert-attempts'
import { type AlertWebhookListing, storedAlertWebhook } from './alert-webhook'

/** Where alerts are sent and how that went; null = nowhere. Nothing of the secret or the address's path. Admins only. */
export async function readAlertWebhook(ctx: Ctx): Promise<AlertWebhookListing | null> {
  requireRole(ctx, 'admin')
  const stored = await storedAlertWebhook(db())
  if (!stored) return null
  const last = { attempts: { gt: 0 } }
  const [tried, delivered, waiting] = await Promise.all([
    db().budgetAlert.findFirst({ where: last, orderBy: { at: 'desc' } }),
    db().budgetAlert.findFirst({
      where: { deliveredAt: { not: null } },
      orderBy: { deliveredAt: 'desc' },
    }),
    db().budgetAlert.count({
      where: {
        deliveredAt: null,
        attempts: { gt: 0, lt: maxAttempts },
        at: { gt: new Date(Date.now() - newsForHours * 3_600_000) },
      },
    }),
  ])
  const { address, privateAddressAllowed } = stored
  return {
    address,
    privateAddressAllowed,
    lastError: tried?.deliveredAt === null ? tried.lastError : '',
    lastDeliveredAt: delivered?.deliveredAt?.toISOString() ?? null,
    waiting,
  }
}
