import { nestedTooDeeply } from '@/lib/words/json-text'

const longest = 90

/** Returns the arguments in one line: `level: "error", limit: 20`. Text that is not a JSON object stays as it is. */
export function shortArguments(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  const line = parsed
    ? Object.entries(parsed)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ')
    : argumentsText.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** Returns the arguments as an object; null when the text is not a JSON object or nests too deeply. */
export function parseArguments(argumentsText: string): Record<string, unknown> | null {
  if (nestedTooDeeply(argumentsText)) return null
  try {
    const value: unknown = JSON.parse(argumentsText)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}
