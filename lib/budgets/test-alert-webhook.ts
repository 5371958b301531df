import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { db, withTransaction } from '../db'
import { NotFoundError } from '../errors'
import { storedAlertWebhook } from './alert-webhook'
import { type Delivery, sendToWebhook } from './send-to-webhook'

/** Sends a signed test where alerts are sent, once, and says what came of it (null = it was taken). Admins only. */
export async function testAlertWebhook(ctx: Ctx): Promise<{ trouble: Delivery }> {
  requireRole(ctx, 'admin')
  const webhook = await storedAlertWebhook(db())
  if (!webhook) throw new NotFoundError('The webhook')
  await withTransaction((tx) =>
    recordAudit(tx, ctx, { action: 'alert-webhook.test', objectType: 'setting', objectId: null }),
  )
  const trouble = await sendToWebhook(webhook, { type: 'test', at: new Date().toISOString() })
  return { trouble }
}
