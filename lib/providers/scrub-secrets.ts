import { redactText } from '@/lib/redaction/redact-text'

const longestText = 8_000
const deepest = 6

/** A copy of `detail` for the log, with the connection's key and whatever looks like a secret removed. */
export function scrubSecrets(detail: unknown, secrets: readonly (string | null)[]): unknown {
  const known = secrets.filter((secret): secret is string => secret !== null && secret.length >= 4)
  return scrub(detail, known.flatMap(spellings), 0)
}

/** A key may come back as it is, inside a URL, or inside JSON text. */
function spellings(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]
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

function scrubText(text: string, secrets: string[]): string {
  let clean = text.slice(0, longestText)
  for (const secret of secrets) clean = clean.replaceAll(secret, '[key]')
  return redactText(clean)
}

function describeError(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error
  return { ...error, name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
