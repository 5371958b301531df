import type { JsonValue } from '@/lib/protocol/tool'

const secretWord = /secret|password|token|passphrase|credential|authori[sz]ation/i
// `key`, `api_key`, `apiKey`, but not `monkey`.
const keyWord = /(^|[_-])(key|KEY)$|[a-z]Key$/
// Counts, not credentials.
const harmlessName = /tokens$/i

/** Deeper values are left out, because walking them would exhaust the stack, and no real input is that deep. */
const mostLevels = 100

/**
 * Returns a copy as plain JSON in which every value under a secret-sounding name is "(removed)". Dates become ISO text,
 * bigints decimal text, undefined is dropped.
 */
export function withoutSecrets(value: unknown): JsonValue {
  return cleaned(value, mostLevels)
}

function cleaned(value: unknown, levels: number): JsonValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return '(binary)'
  if (typeof value === 'object' && levels === 0) return '(nested too deeply)'
  if (Array.isArray(value)) return value.map((item) => cleaned(item, levels - 1))
  if (typeof value === 'object') return withoutSecretFields(value, levels - 1)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}

function withoutSecretFields(record: object, levels: number): { [key: string]: JsonValue } {
  const kept: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue
    const hidden = value !== null && isSecretName(name)
    kept.push([name, hidden ? '(removed)' : inOrder(name, cleaned(value, levels))])
  }
  return Object.fromEntries(kept)
}

/** Returns a schema as text, because the order of its properties matters and the database would lose it. */
function inOrder(name: string, value: JsonValue): JsonValue {
  return name === 'outputSchema' && value !== null ? JSON.stringify(value) : value
}

function isSecretName(name: string): boolean {
  return (secretWord.test(name) || keyWord.test(name)) && !harmlessName.test(name)
}
