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
    return warn(check, 'nothing is sealed yet', 'Start the server once: npm start')
  }
  try {
    await checkVaultKey(db())
  } catch (error) {
    const detail = error instanceof AppError ? error.message : String(error)
    return fail(
      check,
      detail.replace(/\.$/, ''),
      'It may be in a backup of the data folder; docs/vault.md says more.',
    )
  }
  if (rotation || (await keyFileWaits())) {
    return warn(check, 'a rotation of its key is not over', 'Go on with it: toolgate vault rotate')
  }
  return ok(check, `the key fits; ${await db().vaultSecret.count()} secrets stored`)
}
