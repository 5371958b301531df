export type JsonObject = Record<string, unknown>

/** A plain JSON object, as opposed to null, a list or a bare value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object under `key`, or an empty one: what a provider sends may lack anything. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isObject(found) ? found : {}
}

export function listAt(value: JsonObject, key: string): unknown[] {
  const found = value[key]
  return Array.isArray(found) ? found : []
}

/** The text under `key`, or ''. */
export function textAt(value: JsonObject, key: string): string {
  const found = value[key]
  return typeof found === 'string' ? found : ''
}

export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
