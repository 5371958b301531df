import 'server-only'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { z } from 'zod'
import { makeChange, verb } from '@/lib/edge/verb'
import type { VaultSecret } from '@/lib/generated/prisma/client'
import { keepFile } from '@/lib/installation/data-folder'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import { allowNonPolicyWrite, type ChangeTx, db, unaudited, withTransaction } from '@/lib/kernel/db'
import { env } from '@/lib/kernel/env'
import { AppError, ConflictError } from '@/lib/kernel/errors'
import { advisoryLocks } from '@/lib/kernel/locks'
import { canaryKey, newCanary, openCanary, type VersionedKey, wrongVaultKey } from './canary'
import { keyFileWaits, takeNextKeyFile } from './key-file'
import {
  lockVaultExclusive,
  type Rotation,
  readVaultState,
  requireKeys,
  rotationKey,
} from './rotation'
import { type Sealed, seal } from './seal'
import { nextKeyFile, openWithAnyKey, vaultKey } from './vault-key'

/**
 * Result of a rotation. `unreadable`: secrets that no key opens; they were unreadable before, and must be entered
 * again. `retiredFile`: file of the old key, which no longer seals anything; null: the key came from the environment.
 */
const RotationReport = z.object({
  keyVersion: z.number(),
  resealed: z.number(),
  unreadable: z.array(z.string()),
  retiredFile: z.string().nullable(),
})

/**
 * Rotates the key in small transactions, while servers run: meanwhile, values are sealed with the new key and opened
 * with either. The canary moves last. After a crash, the next call continues. The new key is TOOLGATE_VAULT_KEY, with
 * the old one in TOOLGATE_VAULT_KEY_PREVIOUS; without these, a new key is created beside the old one in the data
 * folder. Throws ConflictError while another process rotates.
 */
export const rotateVaultKey = verb({
  name: 'vault.rotate',
  role: 'admin',
  scope: null,
  summary: 'Moves every secret to a new vault key.',
  reason: 'optional',
  input: z.object({}),
  output: RotationReport,
  transaction: false,
  run: ({ ctx, reason }) =>
    withRotationLock(async () => {
      const waiting = await keyFileWaits()
      if (waiting !== null) {
        const retiredFile = await takeNextKeyFile(waiting)
        return { keyVersion: waiting.keyVersion, resealed: 0, unreadable: [], retiredFile }
      }
      const { from, to } = await beginRotation(ctx, reason)
      let resealed = 0
      let unreadable: string[] = []
      do {
        const pass = await resealSecrets(to)
        resealed += pass.resealed
        unreadable = pass.unreadable
      } while (!(await finishRotation(ctx, { from, to, unreadable, reason })))
      const finished = await keyFileWaits()
      const retiredFile = finished && (await takeNextKeyFile(finished))
      return { keyVersion: to.keyVersion, resealed, unreadable, retiredFile }
    }),
})

/** Lets one process of all rotate. The lock belongs to a connection of its own, so it cannot outlive a crash. */
async function withRotationLock<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  // The statement that needs a broken connection fails. Without a listener, its error event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS mine', [
      advisoryLocks.vaultRotation,
    ])
    if (!rows[0]?.mine) {
      throw new ConflictError('Another process is rotating the vault key. Wait until it is done.')
    }
    return await work()
  } finally {
    await client.end()
  }
}

type RotationKeys = { from: VersionedKey; to: VersionedKey }

/** Begins a rotation, or continues one that was interrupted. */
async function beginRotation(ctx: Ctx, reason: string): Promise<RotationKeys> {
  const state = await readVaultState(db())
  const next = state.rotation ? null : await nextKey(openCanary(state.canary))
  return makeChange<RotationKeys>(async (tx) => {
    await lockVaultExclusive(tx)
    const now = await readVaultState(tx)
    requireKeys(now)
    const from = openCanary(now.canary)
    if (!from) throw wrongVaultKey()
    if (now.rotation) return { output: { from, to: requireNext(now.rotation) }, changes: [] }
    if (!next) throw new Error('The rotation ended in the meantime.')
    const to = { key: next, keyVersion: from.keyVersion + 1 }
    await storeRotation(tx, ctx, { from, to })
    const [before, after] = [{ keyVersion: from.keyVersion }, { keyVersion: to.keyVersion }]
    const about = { action: 'vault.begin-rotation', subject: null } as const
    return { output: { from, to }, changes: [{ by: ctx, ...about, before, after, reason }] }
  })
}

async function storeRotation(tx: ChangeTx, ctx: Ctx, { from, to }: RotationKeys): Promise<void> {
  const value: Rotation = {
    fromVersion: from.keyVersion,
    next: newCanary(to),
    startedAt: new Date().toISOString(),
    startedBy: auditLabel(ctx),
  }
  const { setting } = allowNonPolicyWrite(tx, theKeys)
  await setting.create({ data: { key: rotationKey, value } })
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

const batchSize = 20
const theKeys = 'the keys of the vault'

/**
 * Seals again, with `to`, every value under another key. A secret that somebody replaces meanwhile already has the new
 * key, and is left as it is. `unreadable`: ids of secrets that no key opens; they stay as they are.
 */
async function resealSecrets(
  to: VersionedKey,
): Promise<{ resealed: number; unreadable: string[] }> {
  const unreadable: string[] = []
  let resealed = 0
  let after: string | undefined
  for (;;) {
    const rows = await db().vaultSecret.findMany({
      where: {
        keyVersion: { not: to.keyVersion },
        ...(after !== undefined && { id: { gt: after } }),
      },
      orderBy: { id: 'asc' },
      take: batchSize,
    })
    after = rows.at(-1)?.id
    if (after === undefined) return { resealed, unreadable }
    const pairs = rows.map((row) => ({ row, sealed: sealAgain(row, to) }))
    unreadable.push(...pairs.filter(({ sealed }) => sealed === null).map(({ row }) => row.id))
    resealed += await writeBatch(pairs, to.keyVersion)
  }
}

function sealAgain(row: VaultSecret, { key }: VersionedKey): Sealed | null {
  const associated = `${row.purpose}:${row.id}`
  const opened = openWithAnyKey(associated, row)
  return opened && seal(key, associated, opened.plaintext)
}

function writeBatch(
  pairs: { row: VaultSecret; sealed: Sealed | null }[],
  keyVersion: number,
): Promise<number> {
  return withTransaction(async (tx) => {
    let written = 0
    for (const { row, sealed } of pairs) {
      if (!sealed) continue
      const { count } = await unaudited(tx, 'the same values').vaultSecret.updateMany({
        where: { id: row.id, keyVersion: row.keyVersion },
        // The time of the last change stays: the value itself did not change.
        data: { ...sealed, keyVersion, updatedAt: row.updatedAt },
      })
      written += count
    }
    return written
  })
}

type Finish = RotationKeys & { unreadable: readonly string[]; reason: string }

/** Seals the canary with the new key when nothing is left under the old one; false = something is left. */
async function finishRotation(
  ctx: Ctx,
  { from, to, unreadable, reason }: Finish,
): Promise<boolean> {
  return makeChange(async (tx) => {
    await lockVaultExclusive(tx)
    const left = await tx.vaultSecret.findMany({
      where: { keyVersion: { not: to.keyVersion } },
      select: { id: true },
    })
    if (left.some(({ id }) => !unreadable.includes(id))) return { output: false, changes: [] }
    const { setting } = allowNonPolicyWrite(tx, theKeys)
    await setting.update({ where: { key: canaryKey }, data: { value: newCanary(to) } })
    await setting.delete({ where: { key: rotationKey } })
    const before = { keyVersion: from.keyVersion }
    const after = { keyVersion: to.keyVersion, unreadable }
    const about = { action: 'vault.finish-rotation', subject: null } as const
    return { output: true, changes: [{ by: ctx, ...about, before, after, reason }] }
  })
}
