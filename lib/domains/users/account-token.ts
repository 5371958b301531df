import { createHash, randomBytes } from 'node:crypto'

/** What a one-time link carries: 256 random bits. Only the hash is kept. */
export function newAccountToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashAccountToken(token) }
}

/** So many random bits need no salt and no slow hash. */
export function hashAccountToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
