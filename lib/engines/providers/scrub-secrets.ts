import { redactText } from '@/lib/kernel/redaction/redact-text'

const longestText = 8_000
/** Shapes of secrets are looked for in no more than this: what a failed answer is read to, twice. */
const longestLookedAt = 64 * 1024
const deepest = 6
/** Shorter texts are no secret, and shorter beginnings of one give nothing away. */
const shortestSecret = 4

/**
 * A copy of `detail` for the log, with the connection's key and whatever looks like a secret removed. Texts may have been
 * cut before they came here, in the middle of a key, so its beginning is taken from their end, too.
 */
export function scrubSecrets(detail: unknown, secrets: readonly (string | null)[]): unknown {
  const known = secrets.filter(
    (secret): secret is string => secret !== null && secret.length >= shortestSecret,
  )
  // The longest first: one may be a part of another.
  const spelled = known.flatMap(spellings).sort((one, other) => other.length - one.length)
  return scrub(detail, spelled, 0)
}

/** A key may come back as it is, inside a URL, or inside JSON text; some escape slashes there. */
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

/** Cut last: half a secret would no longer be known for one. */
function scrubText(text: string, secrets: string[]): string {
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, '[key]')
  for (const secret of secrets) clean = withoutBeginning(clean, secret)
  return redactText(clean.slice(0, longestLookedAt)).slice(0, longestText)
}

/** A cut through a letter of several bytes leaves U+FFFD behind what came before it. */
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
