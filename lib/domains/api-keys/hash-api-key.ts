import { createHash } from 'node:crypto'

/** A key is 32 random bytes, so one plain hash is enough to make the stored value useless. */
export function hashApiKey(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
