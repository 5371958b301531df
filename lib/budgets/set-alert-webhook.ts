import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { type Tx, withTransaction } from '../db'
import { ValidationError } from '../errors'
import { parseInput } from '../parse-input'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import {
  alertSecretPurpose,
  alertWebhookKey,
  SetAlertWebhook,
  type StoredAlertWebhook,
  storedAlertWebhook,
} from './alert-webhook'

/**
 * Sets where alerts are sent and what signs them. The first time it needs a secret; later one may stay as it is.
 * Admins only.
 */
export async function setAlertWebhook(ctx: Ctx, input: SetAlertWebhook): Promise<void> {
  requireRole(ctx, 'admin')
  const { reason, secret, ...asked } = parseInput(SetAlertWebhook, input)
  await withTransaction(async (tx) => {
    const before = await storedAlertWebhook(tx)
    const secretId = await keepSecret(tx, before, secret)
    const value = { ...asked, secretId }
    await tx.setting.upsert({
      where: { key: alertWebhookKey },
      create: { key: alertWebhookKey, value },
      update: { value },
    })
    await recordAudit(tx, ctx, {
      action: 'setting.update',
      objectType: 'setting',
      objectId: alertWebhookKey,
      before: before && audited(before),
      after: { ...asked, signedWith: secret === null ? 'the secret as before' : 'a new secret' },
      reason,
    })
  })
}

async function keepSecret(
  tx: Tx,
  before: StoredAlertWebhook | null,
  secret: string | null,
): Promise<string> {
  if (before && secret !== null) await replaceSecret(tx, before.secretId, secret)
  if (before) return before.secretId
  if (secret === null) {
    throw new ValidationError({ secret: 'Give a secret: it signs what is sent.' })
  }
  const stored = { purpose: alertSecretPurpose, plaintext: secret, hidden: true }
  return (await storeSecret(tx, stored)).id
}

/** Sends alerts nowhere any more and forgets the secret; nothing to do when none was set. Admins only. */
export async function removeAlertWebhook(ctx: Ctx, input: WithReason = {}): Promise<void> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  await withTransaction(async (tx) => {
    const before = await storedAlertWebhook(tx)
    if (!before) return
    await tx.setting.delete({ where: { key: alertWebhookKey } })
    await tx.vaultSecret.deleteMany({ where: { id: before.secretId } })
    await recordAudit(tx, ctx, {
      action: 'setting.update',
      objectType: 'setting',
      objectId: alertWebhookKey,
      before: audited(before),
      after: null,
      reason,
    })
  })
}

function audited({ url, privateAddressAllowed }: StoredAlertWebhook) {
  return { url, privateAddressAllowed }
}
