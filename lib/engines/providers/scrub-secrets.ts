import { redactText } from '@/lib/kernel/redaction/redact-text'

const longestText = 8_000
/** Shapes of secrets are looked for in no more than this: what a failed answer is read to, twice. */
const longestLookedAt = 64 * 1024
const deepest = 6
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
  return scrub(detail, spelled, 0)
}

/** Returns the spellings of a key: as it is, inside a URL, or inside JSON text, where some escape slashes. */
function spellings(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    ...new Set([secret, encodeURIComponent(secret), json, json.replaceAll('/', String.raw`\/`)]),
  ]
}

function scrub(value: unknown, secrets: string[], depth: number): unknown {
  if (typeof value === 'string') return scrubText(value, secrets)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) return '[deeper]'
  if (value instanceof Error) return scrub(describeError(value), secrets, depth)
  if (Array.isArray(value)) return value.map((item) => scrub(item, secrets, depth + 1))
  const entries = Object.entries(value).map(([key, item]) => [
    scrubText(key, secrets),
    scrub(item, secrets, depth + 1),
  ])
  return Object.fromEntries(entries)
}

/** Removes secrets from a text, and then shortens it, because half a secret would not be recognised. */
function scrubText(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '[key]')
  for (const secret of secrets) clean = withoutBeginning(clean, secret)
  return redactText(clean.slice(0, longestLookedAt)).slice(0, longestText)
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

function describeError(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error
  return { ...error, name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
