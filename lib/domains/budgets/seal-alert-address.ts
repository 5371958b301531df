import { z } from 'zod'
import { systemCtx } from '../../kernel/context'
import { withTransaction } from '../../kernel/db'
import { recordAudit } from '../audit/record-audit'
import { storeSecret } from '../vault/store-secret'
import { addressPurpose, alertWebhookKey, shownAddress } from './alert-webhook'

/** As it was stored before addresses were sealed. */
const Open = z.object({ url: z.url(), secretId: z.uuid(), privateAddressAllowed: z.boolean() })

/** Seals the address of a webhook that is still stored in clear; SQL alone could not. Once is enough. */
export async function sealAlertAddress(): Promise<void> {
  await withTransaction(async (tx) => {
    const rows = await tx.$queryRaw<{ value: unknown }[]>`
      SELECT value FROM settings WHERE key = ${alertWebhookKey} FOR UPDATE`
    const open = Open.safeParse(rows[0]?.value).data
    if (!open) return
    const { url, ...rest } = open
    const secret = { purpose: addressPurpose, plaintext: url, hidden: true }
    const value = { ...rest, address: shownAddress(url), urlId: (await storeSecret(tx, secret)).id }
    await tx.setting.update({ where: { key: alertWebhookKey }, data: { value } })
    await recordAudit(tx, systemCtx(), {
      action: 'setting.update',
      objectType: 'setting',
      objectId: alertWebhookKey,
      before: null,
      after: { address: value.address },
      reason: 'The address of the alert webhook was moved to the vault.',
    })
  })
}
