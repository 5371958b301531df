import { generateSecret, generateURI, verifySync } from 'otplib'
import { openSecret } from '../domains/vault/open-secret'
import type { Tx } from '../kernel/db'

const periodSeconds = 30

/** Returns a new secret for an authenticator app: 160 random bits as base32 text. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 })
}

/** Returns the `otpauth:` address that an authenticator app reads from a QR code. It holds the secret. */
export function totpAddress(secret: string, email: string): string {
  return generateURI({ issuer: 'Toolgate', label: email, secret })
}

/**
 * Returns the time step whose code this is (RFC 6238, SHA-1, 6 digits, 30 s): the present one or a neighbour, and later
 * than `lastStep`. Null when it is none.
 */
export function totpStep(
  secret: string,
  code: string,
  lastStep: bigint | null,
  now: Date,
): bigint | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const newest = Math.floor(epoch / periodSeconds) + 1
  if (!/^\d{6}$/.test(code) || (lastStep !== null && lastStep >= newest)) return null
  const result = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: periodSeconds,
    ...(lastStep !== null && { afterTimeStep: Number(lastStep) }),
  })
  return result.valid && 'timeStep' in result ? BigInt(result.timeStep) : null
}

/**
 * Accepts a code of one of the account's apps, once: the step it belongs to, and all before it, are used up. Returns
 * false when it is no code of now. Call it with the account's row locked.
 */
export async function acceptTotpCode(
  tx: Tx,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const apps = await tx.totpApp.findMany({ where: { userId, confirmedAt: { not: null } } })
  for (const { id, lastStep } of apps) {
    const step = totpStep(await openSecret(tx, id), code, lastStep, now)
    if (step === null) continue
    await tx.totpApp.update({ where: { id }, data: { lastStep: step, lastUsedAt: now } })
    return true
  }
  return false
}
