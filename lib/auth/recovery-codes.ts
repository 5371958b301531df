import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../kernel/db'

const howMany = 10
// 32 letters and digits without I, L, O and U, which are read wrongly: 5 random bits each.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** Replaces the account's recovery codes and returns the new ones, which cannot be read again. */
export async function replaceRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: howMany }, newCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })),
  })
  return codes
}

/** The codes of an account that has its first factor now; null when it has some already. */
export async function firstRecoveryCodes(tx: Tx, userId: string): Promise<string[] | null> {
  const known = await tx.recoveryCode.count({ where: { userId } })
  return known > 0 ? null : replaceRecoveryCodes(tx, userId)
}

/** Uses a code up and returns how many are left; null when it is none of this account's or was used already. */
export async function acceptRecoveryCode(
  tx: Tx,
  userId: string,
  code: string,
  now: Date,
): Promise<number | null> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { userId, codeHash: hashOf(userId, code), usedAt: null },
    data: { usedAt: now },
  })
  return count === 0 ? null : tx.recoveryCode.count({ where: { userId, usedAt: null } })
}

function newCode(): string {
  const letters = Array.from(randomBytes(length), (byte) => alphabet.charAt(byte % alphabet.length))
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

// 80 random bits need no slow hash. People may write a code with other letters, in lower case, with spaces or without.
function hashOf(userId: string, code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replace(/O/g, '0')
  return createHash('sha256').update(`${userId}:${plain}`).digest('hex')
}
