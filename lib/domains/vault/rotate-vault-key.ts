import 'server-only'
import pg from 'pg'
import { z } from 'zod'
import { type Ctx, requireRole } from '../../kernel/context'
import { env } from '../../kernel/env'
import { ConflictError } from '../../kernel/errors'
import { advisoryLocks } from '../../kernel/locks'
import { parseInput } from '../../kernel/parse-input'
import { AuditReason } from '../audit/audit-reason'
import { beginRotation } from './begin-rotation'
import { finishRotation } from './finish-rotation'
import { keyFileWaits, takeNextKeyFile } from './key-file'
import { resealSecrets } from './reseal-secrets'

const Input = z.object({ reason: AuditReason })
export type RotateVaultKey = z.input<typeof Input>

/** `unreadable` are secrets that no key opens: they were so before, and have to be entered again. */
export type RotationReport = {
  keyVersion: number
  resealed: number
  unreadable: string[]
  /** Where the key that no longer seals anything was put; null = the environment gave it. */
  retiredFile: string | null
}

/**
 * Moves every secret to a new vault key, in small transactions, while servers run: what is sealed meanwhile uses the
 * new key, what is opened may use either. The canary moves last. Killed at any moment, it goes on where it was when it
 * is called again. With TOOLGATE_VAULT_KEY in the environment the new key is that, and the old one
 * TOOLGATE_VAULT_KEY_PREVIOUS; otherwise a new key is made beside the old one in the data folder. ConflictError while
 * another process rotates. Admins only.
 */
export async function rotateVaultKey(
  ctx: Ctx,
  input: RotateVaultKey = {},
): Promise<RotationReport> {
  requireRole(ctx, 'admin')
  const { reason } = parseInput(Input, input)
  return aloneInVault(async () => {
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
  })
}

/** Lets one process of all rotate. The lock belongs to a connection of its own, so it cannot outlive a crash. */
async function aloneInVault<T>(work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL })
  // A connection that breaks is noticed by the statement that needs it; unheard it would end the process.
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
