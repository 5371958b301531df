import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json'

/** Returns the SHA-256 of the canonical arguments, hexadecimal: an approval is bound to it (SPEC G-A). */
export function argumentsHash(argumentsText: string): string {
  return createHash('sha256').update(canonicalJson(argumentsText)).digest('hex')
}
