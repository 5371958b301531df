import { canonicalJson } from './canonical-json'

/** SHA-256 of the canonical arguments, hexadecimal: what a person's word is bound to (SPEC G-A). */
export async function argumentsHash(argumentsText: string): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(argumentsText))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
