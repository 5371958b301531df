import { type DiffPart, diffWordsQuickly } from '@/lib/words/diff-lines'

/** A value in a definition that changed, by its path: ".inputSchema.properties.path.type". */
export type DefinitionChange = { path: string; parts: DiffPart[] }

/** A page shows so many at once; the others are folded below them. */
export const mostChanges = 50

/** Returns what changed between two definitions, value by value, in the order of the new one. */
export function definitionChanges(before: object, after: object): DefinitionChange[] {
  const [old, now] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((path) => {
    const [from = '', to = ''] = [old.get(path), now.get(path)]
    return old.get(path) === now.get(path)
      ? []
      : [{ path: path.replace(/^\./, ''), parts: diffWordsQuickly(from, to) }]
  })
}

/** Returns the values of a definition as text, by their paths. A list without objects is one value, such as an enum. */
function valuesOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, textOf(value, path)]])
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const isPlain = isList && !value.some((each) => typeof each === 'object')
  if (isPlain || entries.length === 0) return new Map([[path, JSON.stringify(value)]])
  return new Map(
    entries.flatMap(([key, each]) => [...valuesOf(each, path + (isList ? `[${key}]` : step(key)))]),
  )
}

/** Returns the part of a path for a key. No two keys share one, so that a server cannot hide one behind another. */
function step(key: string): string {
  return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** Quotes show the type of a value, such as 5 or "5". Prose is always text. */
function textOf(value: unknown, path: string): string {
  const isProse = typeof value === 'string' && /\.(?:title|description)$/.test(path)
  return isProse ? value : JSON.stringify(value)
}
