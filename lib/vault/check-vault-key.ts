import type { Tx } from '../db'
import { canaryKey, newCanary, requireCanary, requireOpens } from './canary'

/**
 * Refuses to go on with another vault key than the one this database was first used with (SPEC O2). On the very
 * first boot it stores what later boots compare with; otherwise it changes nothing.
 */
export async function checkVaultKey(client: Tx): Promise<void> {
  const where = { key: canaryKey }
  if (!(await client.setting.findUnique({ where }))) await plantCanary(client)
  const { value } = await client.setting.findUniqueOrThrow({ where })
  requireCanary(value)
}

/** Two first boots at once: one plants, both read what was planted. */
async function plantCanary(client: Tx): Promise<void> {
  const secret = await client.vaultSecret.findFirst()
  if (secret) requireOpens(secret)
  const planted = { key: canaryKey, value: newCanary() }
  await client.setting.createMany({ data: [planted], skipDuplicates: true })
}
