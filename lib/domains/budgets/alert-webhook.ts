import { z } from 'zod'
import type { Tx } from '../../kernel/db'

export const alertWebhookKey = 'alert-webhook'
export const alertSecretPurpose = 'alert-webhook-secret'
export const addressPurpose = 'alert-webhook-address'

/**
 * Where alerts are sent. The address (`urlId`) and the secret that signs are in the vault: for many receivers the path
 * is a credential. `address` is what may be shown of it.
 */
const Stored = z.object({
  address: z.string(),
  urlId: z.uuid(),
  secretId: z.uuid(),
  privateAddressAllowed: z.boolean(),
})
export type StoredAlertWebhook = z.infer<typeof Stored>

/** Returns the stored webhook; null when none is set or the stored value is invalid. */
export async function storedAlertWebhook(tx: Tx): Promise<StoredAlertWebhook | null> {
  const row = await tx.setting.findUnique({ where: { key: alertWebhookKey } })
  return Stored.nullable().safeParse(row?.value ?? null).data ?? null
}

/** Returns the part of an address that people may see: "https://hooks.example.com/…". */
export function shownAddress(url: string): string {
  return `${new URL(url).origin}/…`
}

const notAnAddress = 'Enter an address that starts with https:// or http://.'

const Address = z
  .string()
  .trim()
  .max(2_000, 'An address has at most 2,000 characters.')
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null
    return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
  }, notAnAddress)
  .refine(
    (text) => !URL.canParse(text) || new URL(text).password + new URL(text).username === '',
    'Remove the user name and password from the address. The signature proves the sender.',
  )

/** `url` and `secret` null = the stored ones stay. */
export const SetAlertWebhook = z.object({
  url: Address.nullable().default(null),
  secret: z
    .string()
    .min(16, 'A secret has at least 16 characters.')
    .max(500, 'A secret has at most 500 characters.')
    .nullable()
    .default(null),
  privateAddressAllowed: z.boolean().default(false),
})

/** What admins see of it. `lastError`: why the newest alert that was tried did not arrive; "" = it did. */
export type AlertWebhookListing = {
  /** Without its path: "https://hooks.example.com/…". */
  address: string
  privateAddressAllowed: boolean
  lastError: string
  lastDeliveredAt: string | null
  /** Alerts that failed and will be tried again. */
  waiting: number
}
