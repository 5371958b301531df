import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json'

/** SHA-256 of the canonical arguments, hexadecimal: what a person's word is bound to (SPEC G-A). */
export function argumentsHash(argumentsText: string): string {
  return createHash('sha256').update(canonicalJson(argumentsText)).digest('hex')
}
