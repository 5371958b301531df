import type { Tx } from '../../kernel/db'
import { canaryKey, newCanary, requireOpens } from './canary'
import { readVaultState, requireKeys } from './rotation'
import { firstKeyVersion, vaultKey } from './vault-key'

/**
 * Refuses to go on with another vault key than the one this database is used with, or in the middle of a rotation with
 * one of the two only (SPEC O2). On the very first boot it stores what later boots compare with; otherwise it changes
 * nothing.
 */
export async function checkVaultKey(client: Tx): Promise<void> {
  const found = await readVaultState(client)
  if (found.canary === null) await plantCanary(client)
  requireKeys(found.canary === null ? await readVaultState(client) : found)
}

/** Stores the canary. If two first boots run at once, one stores it and both read that one. */
async function plantCanary(client: Tx): Promise<void> {
  const secret = await client.vaultSecret.findFirst()
  const first = { key: vaultKey(), keyVersion: firstKeyVersion }
  const planted = { key: canaryKey, value: newCanary(secret ? requireOpens(secret) : first) }
  await client.setting.createMany({ data: [planted], skipDuplicates: true })
}
