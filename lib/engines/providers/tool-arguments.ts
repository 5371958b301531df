import { exactText, type ParsedJson, parseExact } from '@/lib/protocol/json-text'
import { isObject, type JsonObject, parseObject } from './json-value'

/**
 * The JSON text of arguments that stand in `event`: servers send it as text, or the object itself, whose numbers have all
 * their digits in the text of the event alone. '' = none.
 */
export function argumentsIn(event: ParsedJson, args: unknown): string {
  if (args === undefined || args === null) return ''
  return typeof args === 'string' ? args : exactText(args, event)
}

/**
 * A past call's arguments for wires that take an object; `exactJson` writes them as the model did. What was never a JSON
 * object goes back as `{}`: the model reads in the result what was wrong with it (SPEC R11).
 */
export function argumentsObject(argumentsText: string): JsonObject {
  try {
    const value = parseExact(argumentsText)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The same for wires that take JSON text: unchanged when it is an object, else `{}`, never `[]`. */
export function argumentsJson(argumentsText: string): string {
  return parseObject(argumentsText) ? argumentsText : '{}'
}
