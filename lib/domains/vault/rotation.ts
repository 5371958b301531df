import { z } from 'zod'
import type { Tx } from '@/lib/kernel/db'
import { AppError } from '@/lib/kernel/errors'
import { holdLock, holdLockShared } from '@/lib/kernel/locks'
import { Canary, canaryKey, openCanary, wrongVaultKey } from './canary'

/** The setting that is there while secrets are moved from one key to the next. */
export const rotationKey = 'vault-rotation'

/** `next` is the canary of the key to come: what is sealed from now on is sealed with that key. */
export const Rotation = z.object({
  fromVersion: z.int(),
  next: Canary,
  startedAt: z.string(),
  startedBy: z.string(),
})
export type Rotation = z.infer<typeof Rotation>

/** Key state in the database; null: none. */
export type VaultState = { canary: unknown; rotation: Rotation | null }

/** Locks the vault in shared mode while a secret is encrypted, so that the current key does not change meanwhile. */
export async function lockVaultShared(tx: Tx): Promise<void> {
  await holdLockShared(tx, 'vaultKey')
}

/** Locks the vault exclusively while its current key changes, after all active encryptions. */
export async function lockVaultExclusive(tx: Tx): Promise<void> {
  await holdLock(tx, 'vaultKey')
}

export async function readVaultState(tx: Tx): Promise<VaultState> {
  const rows = await tx.setting.findMany({ where: { key: { in: [canaryKey, rotationKey] } } })
  return vaultState(rows)
}

export function vaultState(rows: readonly { key: string; value: unknown }[]): VaultState {
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  const rotation = values.get(rotationKey)
  return {
    canary: values.get(canaryKey) ?? null,
    rotation: rotation === undefined ? null : Rotation.parse(rotation),
  }
}

/**
 * Throws AppError unless this process can open everything that is sealed: with the key of the canary, and in the
 * middle of a rotation with the next one as well.
 */
export function requireKeys({ canary, rotation }: VaultState): void {
  const opens = canary === null || openCanary(canary) !== null
  if (rotation === null) {
    if (!opens) throw wrongVaultKey()
    return
  }
  const opensNext = openCanary(rotation.next) !== null
  if (opens && opensNext) return
  if (!opens && !opensNext) throw wrongVaultKey()
  throw new AppError(
    'vault-key',
    500,
    `The vault key is being rotated, and this process has only the ${opens ? 'old' : 'new'} key. Give the new one in TOOLGATE_VAULT_KEY and the old one in TOOLGATE_VAULT_KEY_PREVIOUS until \`toolgate vault status\` says that it is done; nothing was changed.`,
  )
}
