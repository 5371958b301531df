import type { JsonValue } from '../protocol/tool'

const secretWord = /secret|password|token|passphrase|credential|authori[sz]ation/i
// `key`, `api_key`, `apiKey`, but not `monkey`.
const keyWord = /(^|[_-])(key|KEY)$|[a-z]Key$/
// Counts, not credentials.
const harmlessName = /tokens$/i

/**
 * A copy as plain JSON in which every value under a name that sounds like a secret reads "(removed)".
 * Dates become ISO text, bigints decimal text, undefined is dropped.
 */
export function withoutSecrets(value: unknown): JsonValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return '(binary)'
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value === 'object') return withoutSecretFields(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : String(value)
}

function withoutSecretFields(record: object): { [key: string]: JsonValue } {
  const kept: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue
    const hidden = value !== null && isSecretName(name)
    kept.push([name, hidden ? '(removed)' : withoutSecrets(value)])
  }
  return Object.fromEntries(kept)
}

function isSecretName(name: string): boolean {
  return (secretWord.test(name) || keyWord.test(name)) && !harmlessName.test(name)
}
