import { db } from '@/lib/db'
import { AppError } from '@/lib/errors'
import { checkVaultKey } from '@/lib/vault/check-vault-key'
import { keyFileWaits } from '@/lib/vault/key-file'
import { readVaultState } from '@/lib/vault/rotation'
import { type Finding, fail, ok, warn } from './finding'

const check = 'Vault'

/** The first start stores what a key is compared with; the doctor leaves that to it and only looks. */
export async function checkVault(): Promise<Finding> {
  const { canary, rotation } = await readVaultState(db())
  if (canary === null) {
    return warn(check, 'no secrets yet', 'Start the server once: npm start')
  }
  try {
    await checkVaultKey(db())
  } catch (error) {
    const detail = error instanceof AppError ? error.message : String(error)
    return fail(
      check,
      detail.replace(/\.$/, ''),
      'The original key may be in a backup of the data folder; docs/vault.md says more.',
    )
  }
  if (rotation || (await keyFileWaits())) {
    return warn(check, 'a key rotation is not finished', 'Continue it: toolgate vault rotate')
  }
  return ok(check, `the key is right; ${await db().vaultSecret.count()} secrets stored`)
}
