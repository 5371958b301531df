import { z } from 'zod'
import { fieldVault } from '@/lib/domains/vault/field-vault'
import { makeChange } from '@/lib/edge/verb'
import { systemCtx } from '@/lib/kernel/context'
import { allowNonPolicyWrite } from '@/lib/kernel/db'
import { shownAddress } from './stored'

const key = 'alert-webhook'

/** The webhook of budget alerts as versions before the vault had it stored. */
const Open = z.object({ url: z.url(), secretId: z.uuid() })

/**
 * Encrypts the address of a channel that was a webhook with an unencrypted address, which a migration in SQL cannot do.
 * Does nothing when there is none.
 */
export async function sealChannelAddress(): Promise<void> {
  await makeChange(async (tx) => {
    const rows = await tx.$queryRaw<{ value: unknown }[]>`
      SELECT value FROM settings WHERE key = ${key} FOR UPDATE`
    const open = Open.safeParse(rows[0]?.value).data
    if (!open) return { output: undefined, changes: [] }
    const { setting } = allowNonPolicyWrite(tx, 'where alerts went')
    await setting.delete({ where: { key } })
    const where = { secretId: open.secretId, addressSecretId: null }
    const row = await tx.channel.findFirst({ where })
    if (!row) return { output: undefined, changes: [] }
    const addressSecretId = await fieldVault.keep(tx, 'channel-address', null, open.url)
    const data = { addressSecretId, shownAddress: shownAddress(open.url) }
    await tx.channel.update({ where: { id: row.id }, data })
    const change = {
      by: systemCtx(),
      action: 'channel.seal-address' as const,
      subject: row.id,
      after: { name: row.name, address: data.shownAddress },
    }
    return { output: undefined, changes: [change] }
  })
}
