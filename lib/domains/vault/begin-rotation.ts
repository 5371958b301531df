import { randomBytes } from 'node:crypto'
import { keepFile } from '../../installation/data-folder'
import { auditLabel, type Ctx } from '../../kernel/context'
import { db, type Tx, withTransaction } from '../../kernel/db'
import { env } from '../../kernel/env'
import { AppError } from '../../kernel/errors'
import { recordAudit } from '../audit/record-audit'
import { newCanary, openCanary, type VersionedKey, wrongVaultKey } from './canary'
import {
  lockVaultExclusive,
  type Rotation,
  readVaultState,
  requireKeys,
  rotationKey,
} from './rotation'
import { nextKeyFile, vaultKey } from './vault-key'

export type RotationKeys = { from: VersionedKey; to: VersionedKey }

/** Says which key seals from now on, or goes on with a rotation that was cut short. */
export async function beginRotation(ctx: Ctx, reason: string): Promise<RotationKeys> {
  const state = await readVaultState(db())
  const next = state.rotation ? null : await nextKey(openCanary(state.canary))
  return withTransaction(async (tx) => {
    await lockVaultExclusive(tx)
    const now = await readVaultState(tx)
    requireKeys(now)
    const from = openCanary(now.canary)
    if (!from) throw wrongVaultKey()
    if (now.rotation) return { from, to: requireNext(now.rotation) }
    if (!next) throw new Error('The rotation ended in the meantime.')
    const to = { key: next, keyVersion: from.keyVersion + 1 }
    await plantRotation(tx, ctx, { from, to })
    await recordAudit(tx, ctx, {
      action: 'vault.begin-rotation',
      objectType: 'vault',
      objectId: null,
      before: { keyVersion: from.keyVersion },
      after: { keyVersion: to.keyVersion },
      reason,
    })
    return { from, to }
  })
}

async function plantRotation(tx: Tx, ctx: Ctx, { from, to }: RotationKeys): Promise<void> {
  const value: Rotation = {
    fromVersion: from.keyVersion,
    next: newCanary(to),
    startedAt: new Date().toISOString(),
    startedBy: auditLabel(ctx),
  }
  await tx.setting.create({ data: { key: rotationKey, value } })
}

function requireNext(rotation: Rotation): VersionedKey {
  const next = openCanary(rotation.next)
  if (!next) throw wrongVaultKey()
  return next
}

/**
 * Returns the next key: created once and stored where the data folder has the key; else the new one from the
 * environment.
 */
async function nextKey(current: VersionedKey | null): Promise<Uint8Array> {
  if (!current) throw wrongVaultKey()
  const { TOOLGATE_VAULT_KEY_FILE: file, TOOLGATE_VAULT_KEY_PREVIOUS: previous } = env()
  if (file !== undefined) {
    const text = await keepFile(nextKeyFile(file), () => randomBytes(32).toString('base64'))
    return Buffer.from(text, 'base64')
  }
  const given = vaultKey()
  if (previous !== undefined && !Buffer.from(current.key).equals(given)) return given
  throw new AppError(
    'vault-key',
    422,
    'There is no new key to rotate to. TOOLGATE_VAULT_KEY comes from the environment: put a new one there (create it with openssl rand -base64 32), put the current one into TOOLGATE_VAULT_KEY_PREVIOUS, restart every server with both, and run this again. docs/vault.md explains each step.',
  )
}
