import type { WireToolCall } from '@/lib/protocol/model/message'

/**
 * Returns the items without calls that a provider sent twice: the same id, name and arguments are one call (SPEC R12).
 * `callOf` gives the call of an item; null = it is none.
 */
export function withoutRepeats<T>(
  items: readonly T[],
  callOf: (item: T) => WireToolCall | null,
): T[] {
  const places = firstPlaces(items.map(callOf))
  return items.filter((_, at) => places[at] === at)
}

/** Returns for each call the place of the first one that is the same call, which is often its own. */
export function firstPlaces(calls: readonly (WireToolCall | null)[]): number[] {
  const known = new Map<string, number>()
  return calls.map((call, at) => {
    if (!call || call.id === null) return at
    const key = JSON.stringify([call.id, call.name, call.argumentsText.trim() || '{}'])
    const first = known.get(key) ?? at
    known.set(key, first)
    return first
  })
}
