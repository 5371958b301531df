import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

export const setupTokenKey = 'setup-token'

/** What is kept of the one-time set-up link. */
export const SetupToken = z.object({ hash: z.string(), expiresAt: z.iso.datetime() })
export type SetupToken = z.infer<typeof SetupToken>

export function hashSetupToken(token: string): string {
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
