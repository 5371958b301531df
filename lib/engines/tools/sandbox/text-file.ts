import { createHash } from 'node:crypto'

/** Returns the text of a file; null = it is not UTF-8 text. A byte order mark stays, so that texts can be compared. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns the SHA-256 of a text or of bytes, in hexadecimal. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
