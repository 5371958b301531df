/**
 * Returns JSON text with sorted keys and no spaces: equal for equal values. Text that is not JSON is returned as it is.
 */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    // Not JSON, or nested too deeply: only identical text is equal.
    return text.trim()
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
