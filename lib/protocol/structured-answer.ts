import { cleanText } from './clean-text'
import { nestedTooDeeply } from './nested-too-deeply'

/**
 * The JSON value of an answer, fit for a page and the database; undefined when it is not exactly one. A code fence around
 * the whole answer is no part of it.
 */
export function structuredAnswer(text: string): unknown {
  const json = unfenced(text.trim())
  if (nestedTooDeeply(json)) return undefined
  try {
    return clean(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** The text in a code fence; the whole text when it stands in none. */
export function unfenced(text: string): string {
  const fence = /^`{3}[\w-]{0,20}\s/.exec(text.slice(0, 64))
  return fence && text.endsWith('```') ? text.slice(fence[0].length, -3).trim() : text
}

/** JSON text can spell characters that a database does not hold. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clean)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cleanText(name), clean(inner)]),
  )
}
