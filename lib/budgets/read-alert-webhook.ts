import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { type AlertWebhookListing, storedAlertWebhook } from './alert-webhook'

/** Where alerts are sent and how that went; null = nowhere. Nothing of the secret. Admins only. */
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
    db().budgetAlert.count({ where: { deliveredAt: null, attempts: { gt: 0 } } }),
  ])
  const { url, privateAddressAllowed } = stored
  return {
    url,
    privateAddressAllowed,
    lastError: tried?.deliveredAt === null ? tried.lastError : '',
    lastDeliveredAt: delivered?.deliveredAt?.toISOString() ?? null,
    waiting,
  }
}
