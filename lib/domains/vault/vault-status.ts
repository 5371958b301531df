import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { openCanary } from './canary'
import { keyFileWaits } from './key-file'
import { readVaultState } from './rotation'

export type VaultStatus = {
  /** The version of the key in force, counted from 1; null = nothing was sealed yet. */
  keyVersion: number | null
  keyFrom: 'environment' | 'data folder'
  /** Number of sealed values. */
  sealed: number
  /** A rotation that is not over: how many values are still sealed with the key before. */
  rotation: {
    fromVersion: number
    toVersion: number
    startedAt: string
    startedBy: string
    left: number
  } | null
  /** True = all is sealed with the new key, and only the key file still holds the old one. */
  keyFileWaits: boolean
}

/** Returns which key encrypts the vault, and the progress of a rotation. Admins only. */
export async function vaultStatus(ctx: Ctx): Promise<VaultStatus> {
  requireRole(ctx, 'admin')
  const { canary, rotation } = await readVaultState(db())
  const toVersion = rotation?.next.keyVersion
  return {
    keyVersion: canary === null ? null : (openCanary(canary)?.keyVersion ?? null),
    keyFrom: env().TOOLGATE_VAULT_KEY_FILE === undefined ? 'environment' : 'data folder',
    sealed: await db().vaultSecret.count(),
    rotation: rotation && {
      fromVersion: rotation.fromVersion,
      toVersion: rotation.next.keyVersion,
      startedAt: rotation.startedAt,
      startedBy: rotation.startedBy,
      left: await db().vaultSecret.count({
        where: toVersion === undefined ? {} : { keyVersion: { not: toVersion } },
      }),
    },
    keyFileWaits: (await keyFileWaits()) !== null,
  }
}
