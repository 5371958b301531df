import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { type Ctx, requireRole } from '../context'
import { type Tx, withTransaction } from '../db'
import { ValidationError } from '../errors'
import { parseInput } from '../parse-input'
import { replaceSecret } from '../vault/replace-secret'
import { storeSecret } from '../vault/store-secret'
import {
  addressPurpose,
  alertSecretPurpose,
  alertWebhookKey,
  SetAlertWebhook,
  type StoredAlertWebhook,
  shownAddress,
  storedAlertWebhook,
} from './alert-webhook'

/**
 * Sets where alerts are sent and what signs them. The first time it needs an address and a secret; later each may stay as
 * it is. Admins only.
 */
export async function setAlertWebhook(ctx: Ctx, input: SetAlertWebhook): Promise<void> {
  requireRole(ctx, 'admin')
  const { reason, secret, url, privateAddressAllowed } = parseInput(SetAlertWebhook, input)
  await withTransaction(async (tx) => {
    const before = await storedAlertWebhook(tx)
    const secretId = await keep(tx, alertSecretPurpose, before?.secretId, secret)
    const urlId = await keep(tx, addressPurpose, before?.urlId, url)
    if (secretId === null || urlId === null) throw incomplete(secretId, urlId)
    const address = url === null ? (before?.address ?? '') : shownAddress(url)
    const value: StoredAlertWebhook = { address, urlId, secretId, privateAddressAllowed }
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
      after: {
        ...audited(value),
        path: url === null ? 'as before' : 'a new one',
        signedWith: secret === null ? 'the secret as before' : 'a new secret',
      },
      reason,
    })
  })
}

/** The id of what is in the vault from now on; null when nothing was given and nothing is there. */
async function keep(
  tx: Tx,
  purpose: string,
  id: string | undefined,
  plaintext: string | null,
): Promise<string | null> {
  if (plaintext === null) return id ?? null
  if (id === undefined) return (await storeSecret(tx, { purpose, plaintext, hidden: true })).id
  await replaceSecret(tx, id, plaintext, { hidden: true })
  return id
}

function incomplete(secretId: string | null, urlId: string | null): ValidationError {
  return new ValidationError({
    ...(urlId === null && { url: 'Give an address: alerts are posted there.' }),
    ...(secretId === null && { secret: 'Give a secret: it signs what is sent.' }),
  })
}

/** Sends alerts nowhere any more and forgets address and secret; nothing to do when none was set. Admins only. */
export async function removeAlertWebhook(ctx: Ctx, input: WithReason = {}): Promise<void> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(WithReason, input)
  await withTransaction(async (tx) => {
    const before = await storedAlertWebhook(tx)
    if (!before) return
    await tx.setting.delete({ where: { key: alertWebhookKey } })
    await tx.vaultSecret.deleteMany({ where: { id: { in: [before.secretId, before.urlId] } } })
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

function audited({ address, privateAddressAllowed }: StoredAlertWebhook) {
  return { url: address, privateAddressAllowed }
}
