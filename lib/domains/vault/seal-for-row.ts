import type { Tx } from '../../kernel/db'
import { AppError } from '../../kernel/errors'
import { openCanary, type VersionedKey } from './canary'
import { lockVaultShared, readVaultState } from './rotation'
import { type Sealed, seal } from './seal'
import { firstKeyVersion, vaultKey } from './vault-key'

/** Seals a secret for its row, with the key that seals at this moment and stays it until the transaction ends. */
export async function sealForRow(
  tx: Tx,
  row: { id: string; purpose: string },
  plaintext: string,
): Promise<Sealed & { keyVersion: number }> {
  const { key, keyVersion } = await sealingKey(tx)
  return { keyVersion, ...seal(key, `${row.purpose}:${row.id}`, plaintext) }
}

async function sealingKey(tx: Tx): Promise<VersionedKey> {
  await lockVaultShared(tx)
  const { canary, rotation } = await readVaultState(tx)
  const stored = rotation?.next ?? canary
  if (stored === null) return { key: vaultKey(), keyVersion: firstKeyVersion }
  const opened = openCanary(stored)
  if (opened) return opened
  throw new AppError(
    'vault-key',
    503,
    'The vault key was rotated, and this process has the old key only; nothing was stored. Restart it with the new key: docs/vault.md explains how.',
  )
}
