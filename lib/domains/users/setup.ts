import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { makeChange } from '@/lib/edge/verb'
import { allowNonPolicyWrite, db, type Tx, unaudited, withTransaction } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { lockAdmins } from './admins'
import { hashPassword, requireStrongPassword } from './passwords'
import { FirstAdmin } from './schemas'
import { explainTakenEmail } from './user-rows'

const setupTokenKey = 'setup-token'

/** The stored part of the one-time set-up link. */
const SetupToken = z.object({ hash: z.string(), expiresAt: z.iso.datetime() })
type SetupToken = z.infer<typeof SetupToken>

const lifetimeMs = 24 * 3_600_000

/**
 * Creates a one-time token for the set-up page of the first admin, good for 24 hours and replacing any earlier one.
 * Only its hash is kept. Returns null when there is an admin already, disabled or not.
 */
export function createSetupToken(now = new Date()): Promise<string | null> {
  return withTransaction(async (tx) => {
    await lockAdmins(tx)
    if (await hasAdmin(tx)) return null
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString()
    const value: SetupToken = { hash: hashOf(token), expiresAt }
    await unaudited(tx, 'the installation itself, at its start').setting.upsert({
      where: { key: setupTokenKey },
      create: { key: setupTokenKey, value },
      update: { value },
    })
    return token
  })
}

/**
 * Returns the state of the first set-up: `done` when there is an admin; before that, `open` when `token` is the one of
 * the current set-up link, `wrong-link` when it is not or has expired.
 */
export async function readSetupState(
  token: string,
  now = new Date(),
  tx: Tx = db(),
): Promise<'done' | 'open' | 'wrong-link'> {
  // Reads the token first. The transaction that adds the first admin deletes it, and that admin is then found below.
  const row = await tx.setting.findUnique({ where: { key: setupTokenKey } })
  if (await hasAdmin(tx)) return 'done'
  return row && isCurrent(SetupToken.parse(row.value), token, now) ? 'open' : 'wrong-link'
}

/**
 * Creates the first admin with the token of the set-up link and uses the token up. Of several at once exactly one
 * wins; the others get ConflictError. Throws ForbiddenError for a wrong or expired token.
 */
export async function completeSetup(
  token: string,
  input: FirstAdmin,
  ipAddress: string | null = null,
): Promise<{ userId: string }> {
  const { email, name, password } = parseInput(FirstAdmin, input)
  await checkToken(db(), token)
  await requireStrongPassword(password, { email, name })
  // Hashing is slow on purpose, so it is done before taking the lock.
  const passwordHash = await hashPassword(password)
  return makeChange(async (tx) => {
    await lockAdmins(tx)
    await checkToken(tx, token)
    const data = { email, name, role: 'admin' as const, passwordHash }
    const { id: userId } = await tx.user.create({ data }).catch(explainTakenEmail)
    const { setting } = allowNonPolicyWrite(tx, 'the link of the first set-up')
    await setting.delete({ where: { key: setupTokenKey } })
    const by = { actor: { userId, email, role: 'admin' }, via: 'console', ipAddress } as const
    const after = { email, name, role: 'admin' }
    const change = { by, action: 'user.create-first-admin', subject: userId, after } as const
    return { output: { userId }, changes: [change] }
  })
}

async function checkToken(tx: Tx, token: string): Promise<void> {
  const state = await readSetupState(token, new Date(), tx)
  if (state === 'done') throw new ConflictError('Toolgate is already set up. Sign in instead.')
  if (state === 'open') return
  throw new ForbiddenError(
    'This set-up link is no longer valid. Restart Toolgate to get a new one.',
  )
}

async function hasAdmin(tx: Tx): Promise<boolean> {
  return (await tx.user.findFirst({ where: { role: 'admin', deletedAt: null } })) !== null
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isCurrent(stored: SetupToken, token: string, now: Date): boolean {
  const wanted = Buffer.from(stored.hash, 'hex')
  const given = Buffer.from(hashOf(token), 'hex')
  return (
    wanted.length === given.length &&
    timingSafeEqual(wanted, given) &&
    now < new Date(stored.expiresAt)
  )
}
