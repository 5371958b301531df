import { randomBytes } from 'node:crypto'
import { withTransaction } from '../db'
import { lockAdmins } from './lock-admins'
import { hashSetupToken, type SetupToken, setupTokenKey } from './setup-token'

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
