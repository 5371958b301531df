import type { BodyParts } from './growing-body'

export type JsonObject = Record<string, unknown>

/** Returns whether a value is a plain JSON object, and not null, a list or a bare value. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the object under `key`, or an empty one, because a provider may leave out anything. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isObject(found) ? found : {}
}

export function listAt(value: JsonObject, key: string): unknown[] {
  const found = value[key]
  return Array.isArray(found) ? found : []
}

/** Returns the text under `key`, or ''. */
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

/**
 * Turns values into JSON bytes once and keeps them as long as the value lives: a conversation grows by a few
 * messages a round, and only those are serialised again.
 */
export function createJsonCache<T extends object>(
  toWire: (value: T) => unknown,
): (value: T) => Buffer {
  return createTextCache((value) => JSON.stringify(toWire(value)))
}

/** Turns values into bytes once, as `createJsonCache` does, for values that are already JSON text, whole or in part. */
export function createTextCache<T extends object>(
  toText: (value: T) => string,
): (value: T) => Buffer {
  const known = new WeakMap<T, Buffer>()
  return (value) => {
    const cached = known.get(value)
    if (cached) return cached
    const bytes = Buffer.from(toText(value))
    known.set(value, bytes)
    return bytes
  }
}

const comma = Buffer.from(',')
const bracketOpen = Buffer.from('[')
const bracketClose = Buffer.from(']')

/** Returns a JSON list of values that are already bytes, as pieces of a larger text. */
function listPieces(items: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [bracketOpen]
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(item)
  }
  pieces.push(bracketClose)
  return pieces
}

/**
 * Returns the parts of such an object for a `BodyMaker`: the first list is the conversation. `first` is its first item,
 * which is made anew for each request; '' = none.
 */
export function bodyParts(
  fields: object,
  [[name, items], ...others]: [[string, readonly Buffer[]], ...[string, readonly Buffer[]][]],
  first = '',
): BodyParts {
  const start = JSON.stringify(fields).slice(0, -1)
  const opening = `${start === '{' ? '' : ','}${JSON.stringify(name)}:[`
  const gap = first !== '' && items.length > 0 ? ',' : ''
  const pieces = others.flatMap(([name, list]) => [
    Buffer.from(`,${JSON.stringify(name)}:`),
    ...listPieces(list),
  ])
  return {
    head: Buffer.from(start + opening + first + gap),
    items,
    tail: Buffer.concat([bracketClose, ...pieces, Buffer.from('}')]),
  }
}

/** Returns a JSON object of small plain `fields` followed by `lists` whose items are already bytes. */
export function objectBytes(fields: object, lists: Record<string, readonly Buffer[]>): Buffer {
  const head = JSON.stringify(fields)
  const pieces: Buffer[] = [Buffer.from(head.slice(0, -1))]
  let first = head === '{}'
  for (const [name, items] of Object.entries(lists)) {
    pieces.push(Buffer.from(`${first ? '' : ','}${JSON.stringify(name)}:`), ...listPieces(items))
    first = false
  }
  pieces.push(Buffer.from('}'))
  return Buffer.concat(pieces)
}
