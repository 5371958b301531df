import { redactValue } from '@/lib/kernel/redaction/redact-value'

/** Shorter texts are no secret, and shorter beginnings of one give nothing away. */
const shortestSecret = 4

/**
 * Returns a copy of `detail` for the log, without the connection's key and whatever looks like a secret. Texts may have
 * been cut in the middle of a key, so its beginning is also removed from their end.
 */
export function scrubSecrets(detail: unknown, secrets: readonly (string | null)[]): unknown {
  const known = secrets.filter(
    (secret): secret is string => secret !== null && secret.length >= shortestSecret,
  )
  // The longest first: one may be a part of another.
  const spelled = known.flatMap(spellings).sort((one, other) => other.length - one.length)
  return redactValue(detail, (text) => withoutKnown(text, spelled))
}

/** Returns the spellings of a key: as it is, inside a URL, or inside JSON text, where some escape slashes. */
function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    ...new Set([secret, encodeURIComponent(secret), json, json.replaceAll('/', String.raw`\/`)]),
  ]
}

function withoutKnown(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
  return secrets.reduce(withoutBeginning, clean)
}

/**
 * Removes the beginning of a secret from the end of a text. A cut inside a letter of several bytes leaves U+FFFD after
 * it.
 */
function withoutBeginning(text: string, secret: string): string {
  const body = text.replace(/\ufffd$/, '')
  for (let length = secret.length - 1; length >= shortestSecret; length--) {
    if (body.endsWith(secret.slice(0, length))) return `${body.slice(0, -length)}[key]`
  }
  return text
}
