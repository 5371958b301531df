import { db } from '@/lib/db'
import { checkVaultKey } from '@/lib/vault/check-vault-key'
import { type Finding, fail, ok, warn } from './finding'

const check = 'Vault'

/** The first start stores what a key is compared with; the doctor leaves that to it and only looks. */
export async function checkVault(): Promise<Finding> {
  const secrets = await db().vaultSecret.count()
  if (!(await db().setting.findUnique({ where: { key: 'vault-canary' } }))) {
    return warn(check, 'nothing is sealed yet', 'Start the server once: npm start')
  }
  try {
    await checkVaultKey(db())
    return ok(check, `the key fits; ${secrets} secrets stored`)
  } catch {
    return fail(
      check,
      'TOOLGATE_VAULT_KEY is not the key this database was set up with',
      'Give the original key; it may be in a backup of the data folder.',
    )
  }
}
