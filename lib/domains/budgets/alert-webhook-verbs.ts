import { z } from 'zod'
import { allowingWords, findRefusal } from '../../engines/egress/egress-connector'
import { type Ctx, requireRole, systemCtx } from '../../kernel/context'
import { type ChangeTx, db, undeciding } from '../../kernel/db'
import { NotFoundError, ValidationError } from '../../kernel/errors'
import { changed, makeChange, unchanged, verb } from '../../kernel/verb'
import { openSecret, replaceSecret, storeSecret } from '../vault/secrets'
import { maxAttempts, newsForHours } from './alert-attempts'
import {
  type AlertWebhookListing,
  addressPurpose,
  alertSecretPurpose,
  alertWebhookKey,
  SetAlertWebhook,
  type StoredAlertWebhook,
  shownAddress,
  storedAlertWebhook,
} from './alert-webhook'
import { sendToWebhook } from './send-to-webhook'

/** The audit knows the webhook as a setting of the site. */
const audited = { action: 'setting.update', subject: alertWebhookKey } as const
const whereAlertsGo = 'where alerts go'

/** Sets the webhook. The first time it needs an address and a secret; later each may stay unchanged. */
export const setAlertWebhook = verb({
  name: 'alert-webhook.set',
  role: 'admin',
  scope: null,
  summary: 'Sets where alerts are sent and what signs them.',
  reason: 'optional',
  input: SetAlertWebhook,
  needsProof: () => true,
  audits: ['setting.update'],
  transaction: 'later',
  run: async ({ change }, webhook) => {
    const address = webhook.url ?? (await storedAddress())
    if (address !== null) await requireAllowed(address, webhook.privateAddressAllowed)
    // No transaction waits for a DNS lookup.
    await change((tx) => store(tx, webhook))
  },
})

async function store(
  tx: ChangeTx,
  { url, secret, privateAddressAllowed }: z.output<typeof SetAlertWebhook>,
) {
  const before = await storedAlertWebhook(tx)
  const secretId = await keep(tx, alertSecretPurpose, before?.secretId, secret)
  const urlId = await keep(tx, addressPurpose, before?.urlId, url)
  if (secretId === null || urlId === null) throw incomplete(secretId, urlId)
  const shown = url === null ? (before?.address ?? '') : shownAddress(url)
  const value: StoredAlertWebhook = { address: shown, urlId, secretId, privateAddressAllowed }
  await undeciding(tx, whereAlertsGo).setting.upsert({
    where: { key: alertWebhookKey },
    create: { key: alertWebhookKey, value },
    update: { value },
  })
  return changed(undefined, {
    ...audited,
    before: before && factsOf(before),
    after: {
      ...factsOf(value),
      path: url === null ? 'as before' : 'a new one',
      signedWith: secret === null ? 'the secret as before' : 'a new secret',
    },
  })
}

/** Returns the address with its path; null when none is set. */
async function storedAddress(): Promise<string | null> {
  const stored = await storedAlertWebhook(db())
  return stored && (await openSecret(db(), stored.urlId))
}

/** Returns the id of the secret in the vault after the change; null when there is none. */
async function keep(
  tx: ChangeTx,
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

/** Refuses an address that no alert could reach, before it is stored. */
async function requireAllowed(url: string, privateAllowed: boolean): Promise<void> {
  const refusal = await findRefusal(url, { privateAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { url: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
}

/** Removes the webhook; does nothing when none is set. */
export const removeAlertWebhook = verb({
  name: 'alert-webhook.remove',
  role: 'admin',
  scope: null,
  summary: 'Sends alerts nowhere any more and forgets address and secret.',
  reason: 'optional',
  input: z.object({}),
  needsProof: () => true,
  audits: ['setting.update'],
  run: async ({ tx }) => {
    const before = await storedAlertWebhook(tx)
    if (!before) return unchanged(undefined)
    const { setting } = undeciding(tx, whereAlertsGo)
    await setting.delete({ where: { key: alertWebhookKey } })
    await tx.vaultSecret.deleteMany({ where: { id: { in: [before.secretId, before.urlId] } } })
    return changed(undefined, { ...audited, before: factsOf(before), after: null })
  },
})

function factsOf({ address, privateAddressAllowed }: StoredAlertWebhook) {
  return { url: address, privateAddressAllowed }
}

/** `trouble` says why the receiver refused it; null = it accepted. */
export const testAlertWebhook = verb({
  name: 'alert-webhook.test',
  role: 'admin',
  scope: null,
  summary: 'Sends one signed test to where alerts are sent.',
  input: z.object({}),
  output: z.object({ trouble: z.string().nullable() }),
  transaction: 'later',
  run: async ({ change }) => {
    const webhook = await storedAlertWebhook(db())
    if (!webhook) throw new NotFoundError('The webhook')
    await change(async () => changed(undefined, { type: 'setting', subject: null }))
    const payload = { type: 'test', at: new Date().toISOString() }
    return { trouble: await sendToWebhook(db(), webhook, payload) }
  },
})

/** Returns where alerts are sent, without secret and path, and how that went; null = nowhere. Admins only. */
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

/** A webhook as it was stored before addresses were sealed. */
const Open = z.object({ url: z.url(), secretId: z.uuid(), privateAddressAllowed: z.boolean() })

/** Encrypts the address of a webhook that an older version stored unencrypted, which a migration in SQL cannot do. */
export async function sealAlertAddress(): Promise<void> {
  await makeChange(async (tx) => {
    const rows = await tx.$queryRaw<{ value: unknown }[]>`
      SELECT value FROM settings WHERE key = ${alertWebhookKey} FOR UPDATE`
    const open = Open.safeParse(rows[0]?.value).data
    if (!open) return { output: undefined, changes: [] }
    const { url, ...rest } = open
    const secret = { purpose: addressPurpose, plaintext: url, hidden: true }
    const value = { ...rest, address: shownAddress(url), urlId: (await storeSecret(tx, secret)).id }
    const { setting } = undeciding(tx, whereAlertsGo)
    await setting.update({ where: { key: alertWebhookKey }, data: { value } })
    const after = { address: value.address }
    const reason = 'The address of the alert webhook was moved to the vault.'
    const change = { by: systemCtx(), ...audited, before: null, after, reason }
    return { output: undefined, changes: [change] }
  })
}
