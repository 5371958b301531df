import { type JsonObject, parseObject } from './json-value'

/**
 * A past call's arguments for wires that take an object. What was never a JSON object goes back as `{}`: the
 * model reads in the result what was wrong with it (SPEC R11).
 */
export function argumentsObject(argumentsText: string): JsonObject {
  return parseObject(argumentsText) ?? {}
}

/** The same for wires that take JSON text: unchanged when it is an object, else `{}`, never `[]`. */
export function argumentsJson(argumentsText: string): string {
  return parseObject(argumentsText) ? argumentsText : '{}'
}
