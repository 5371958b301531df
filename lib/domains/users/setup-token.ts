import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { withTransaction } from '../../kernel/db'
import { lockAdmins } from './lock-admins'

export const setupTokenKey = 'setup-token'

/** What is kept of the one-time set-up link. */
export const SetupToken = z.object({ hash: z.string(), expiresAt: z.iso.datetime() })
export type SetupToken = z.infer<typeof SetupToken>

function hashSetupToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function isSetupToken(stored: SetupToken, token: string, now: Date): boolean {
  const wanted = Buffer.from(stored.hash, 'hex')
  const given = Buffer.from(hashSetupToken(token), 'hex')
  return (
    wanted.length === given.length &&
    timingSafeEqual(wanted, given) &&
    now < new Date(stored.expiresAt)
  )
}

const lifetimeMs = 24 * 3_600_000

/**
 * A one-time token for the first admin's set-up page, good for 24 hours and replacing any earlier one. Null when
 * there is an admin already, disabled or not. Only its hash is kept.
 */
export function createSetupToken(now = new Date()): Promise<string | null> {
  return withTransaction(async (tx) => {
    await lockAdmins(tx)
    const admin = await tx.user.findFirst({ where: { role: 'admin', deletedAt: null } })
    if (admin) return null
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString()
    const value: SetupToken = { hash: hashSetupToken(token), expiresAt }
    await tx.setting.upsert({
      where: { key: setupTokenKey },
      create: { key: setupTokenKey, value },
      update: { value },
    })
    return token
  })
}
