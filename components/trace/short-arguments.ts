import { nestedTooDeeply } from '@/lib/protocol/nested-too-deeply'

const longest = 90

/** One line of what a call was asked with: `level: "error", limit: 20`. Text that is no JSON object stays itself. */
export function shortArguments(argumentsText: string): string {
  const parsed = parseArguments(argumentsText)
  const line = parsed
    ? Object.entries(parsed)
        .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
        .join(', ')
    : argumentsText.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** The arguments as an object, or null when the model's text is none, or too deep to be walked. */
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
