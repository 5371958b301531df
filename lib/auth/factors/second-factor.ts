import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isAskedOf } from '@/lib/auth/load-session'
import type { SettingName } from '@/lib/domains/settings/shape'
import { hashCode } from '@/lib/domains/users/passwords'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { type ChangeTx, db, type Tx } from '@/lib/kernel/db'
import { AppError, ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import type { Role } from '@/lib/protocol/tool'

export const mostFactors = 10

/** Refuses everything but setting up a second factor to people who must have one and have none. */
export class SecondFactorMissing extends AppError {
  constructor() {
    super(
      'second-factor-missing',
      403,
      'This site requires a second factor. Reload the page to set one up.',
    )
  }
}

/** `recoveryCodes` are new and shown this once; null = the account has some already. */
export const EnrolledFactor = z.object({
  id: z.string(),
  recoveryCodes: z.array(z.string()).nullable(),
})
export type EnrolledFactor = z.infer<typeof EnrolledFactor>

/** Times are ISO text in UTC. */
export type FactorListing = {
  id: string
  kind: 'passkey' | 'app'
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** `required`: the site asks for a second factor of this account. */
export type SecondFactors = {
  factors: FactorListing[]
  recoveryCodesLeft: number
  required: boolean
}

/** Returns the second factors of an account: one's own, or as an admin anyone's. Never a secret. */
export async function listSecondFactors(ctx: Ctx, userId: string): Promise<SecondFactors> {
  const id = parseId(userId, 'The user')
  if (id !== ctx.actor.userId) requireRole(ctx, 'admin')
  const user = await db().user.findFirst({
    where: { id, deletedAt: null },
    include: {
      passkeys: { orderBy: { createdAt: 'asc' } },
      totpApps: { where: { confirmedAt: { not: null } }, orderBy: { createdAt: 'asc' } },
      _count: { select: { recoveryCodes: { where: { usedAt: null } } } },
    },
  })
  if (!user) throw new NotFoundError('The user')
  const listed =
    (kind: FactorListing['kind']) =>
    (row: (typeof user.passkeys)[number] | (typeof user.totpApps)[number]) => ({
      id: row.id,
      kind,
      name: row.name,
      createdAt: row.createdAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    })
  return {
    factors: [...user.passkeys.map(listed('passkey')), ...user.totpApps.map(listed('app'))],
    recoveryCodesLeft: user._count.recoveryCodes,
    required: user.oidcSubject === null && (await isRequired(db(), user.role)),
  }
}

/** Returns whether the site requires a second factor from people of this role. */
export async function isRequired(tx: Tx, role: Role): Promise<boolean> {
  const key: SettingName = 'secondFactorFor'
  const row = await tx.setting.findUnique({ where: { key } })
  return isAskedOf(role, row?.value)
}

/**
 * Locks the row of an account while its factors change. Throws ConflictError when its person signs in through the
 * identity provider, which asks for a second factor itself.
 */
export async function lockLocalAccount(tx: Tx, userId: string): Promise<{ role: Role }> {
  const [user] = await tx.$queryRaw<{ role: Role; local: boolean }[]>`
    SELECT role::text AS role, "oidcSubject" IS NULL AS local FROM users
    WHERE id = ${userId}::uuid AND "disabledAt" IS NULL AND "deletedAt" IS NULL FOR UPDATE`
  if (!user) throw new NotFoundError('The user')
  if (user.local) return { role: user.role }
  throw new ConflictError(
    'This account signs in through the identity provider. Set up a second factor there.',
  )
}

const howMany = 10
// 32 letters and digits without I, L, O and U, which are easily misread: 5 random bits each.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** Recovery codes that are not stored yet, and their hashes. */
export type NewCodes = { codes: string[]; hashes: string[] }

/** Makes recovery codes for an account. Slow on purpose, so it comes before a transaction. */
export async function makeRecoveryCodes(userId: string): Promise<NewCodes> {
  const codes = Array.from({ length: howMany }, newCode)
  return { codes, hashes: await Promise.all(codes.map((code) => hashOf(userId, code))) }
}

/** Makes recovery codes for an account that has none; null when it has some. */
export async function makeFirstCodes(userId: string): Promise<NewCodes | null> {
  const known = await db().recoveryCode.count({ where: { userId } })
  return known > 0 ? null : makeRecoveryCodes(userId)
}

/** Replaces the account's recovery codes and returns the new ones, which cannot be read again. */
export async function replaceRecoveryCodes(
  tx: ChangeTx,
  userId: string,
  { codes, hashes }: NewCodes,
): Promise<string[]> {
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash })) })
  return codes
}

/**
 * Stores recovery codes for an account that has just got its first factor; null when it already has some. `made`: what
 * `makeFirstCodes` returned before.
 */
export async function firstRecoveryCodes(
  tx: ChangeTx,
  userId: string,
  made: NewCodes | null,
): Promise<string[] | null> {
  const known = await tx.recoveryCode.count({ where: { userId } })
  if (known > 0) return null
  return replaceRecoveryCodes(tx, userId, made ?? (await makeRecoveryCodes(userId)))
}

/** Hashes of a code: in the present form, and in the form of older versions. */
export type CodeHashes = { now: string; before: string }

/** Returns the hashes that a code would have. Slow on purpose, so it comes before a transaction. */
export async function codeHashes(userId: string, code: string): Promise<CodeHashes> {
  const before = createHash('sha256')
    .update(`${userId}:${plainCode(code)}`)
    .digest('hex')
  return { now: await hashOf(userId, code), before }
}

/** Marks a code as used and returns how many are left; null when the account does not have it or it was used before. */
export async function acceptRecoveryCode(
  tx: ChangeTx,
  userId: string,
  { now: codeHash, before }: CodeHashes,
  now: Date,
): Promise<number | null> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { userId, codeHash: { in: [codeHash, before] }, usedAt: null },
    // A fast hash of an older version does not stay.
    data: { usedAt: now, codeHash },
  })
  return count === 0 ? null : tx.recoveryCode.count({ where: { userId, usedAt: null } })
}

function newCode(): string {
  const letters = Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length))
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Returns a code as it is hashed: people may write it with other letters, in lower case, with spaces or without. */
function plainCode(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')
}

function hashOf(userId: string, code: string): Promise<string> {
  const salt = createHash('sha256').update(`recovery codes of ${userId}`).digest().subarray(0, 16)
  return hashCode(plainCode(code), salt)
}
