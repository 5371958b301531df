import { allowingWords, findRefusal } from '../../engines/egress/egress-connector'
import { type Ctx, requireRole } from '../../kernel/context'
import { db, type Tx, withTransaction } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { parseInput } from '../../kernel/parse-input'
import { WithReason } from '../audit/audit-reason'
import { recordAudit } from '../audit/record-audit'
import { openSecret } from '../vault/open-secret'
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
  const address = url ?? (await storedAddress())
  if (address !== null) await requireAllowed(address, privateAddressAllowed)
  await withTransaction(async (tx) => {
    const before = await storedAlertWebhook(tx)
    const secretId = await keep(tx, alertSecretPurpose, before?.secretId, secret)
    const urlId = await keep(tx, addressPurpose, before?.urlId, url)
    if (secretId === null || urlId === null) throw incomplete(secretId, urlId)
    const shown = url === null ? (before?.address ?? '') : shownAddress(url)
    const value: StoredAlertWebhook = { address: shown, urlId, secretId, privateAddressAllowed }
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

/** With its path; null when none is set. */
async function storedAddress(): Promise<string | null> {
  const stored = await storedAlertWebhook(db())
  return stored && (await openSecret(db(), stored.urlId))
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
    ...(urlId === null && { url: 'Enter an address. Alerts are posted there.' }),
    ...(secretId === null && { secret: 'Enter a secret. It signs each alert.' }),
  })
}

/** Refuses what no alert would ever reach, before it is stored. */
async function requireAllowed(url: string, privateAllowed: boolean): Promise<void> {
  const refusal = await findRefusal(url, { privateAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { url: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
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
