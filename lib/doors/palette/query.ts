import { kindsInPalette, type PaletteKind, queryWords } from '@/lib/protocol/palette'

/** Ids that begin with what was typed, as a range that an index can look up. */
type IdRange = { gte: string; lte: string }

export type Query = { words: string[]; ids: IdRange | null }

/** Text of at least eight hexadecimal digits counts as the beginning of an id. */
const idStart = /^[0-9a-f]{8,32}$/

export function parseQuery(text: string): Query {
  const words = queryWords(text)
  const digits = text.trim().toLowerCase().replaceAll('-', '')
  const ids = idStart.test(digits)
    ? { gte: toUuid(digits.padEnd(32, '0')), lte: toUuid(digits.padEnd(32, 'f')) }
    : null
  return { words, ids }
}

function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the words that the name of an object must contain, without words that only name its kind. */
export function tellingWords({ words }: Query, kind: PaletteKind): string[] {
  return words.filter((word) => !kindsInPalette[kind].finds.includes(word))
}

export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}

export type Contains = { contains: string; mode: 'insensitive' }

/**
 * Returns a condition on rows: the id begins with the query, or each word is in one of the fields that `fieldsWith`
 * names.
 */
export function found<W>(query: Query, kind: PaletteKind, fieldsWith: (part: Contains) => W[]) {
  const byWords = {
    AND: tellingWords(query, kind).map((word) => ({
      OR: fieldsWith({ contains: word.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' }),
    })),
  }
  return query.ids ? { OR: [{ id: query.ids }, byWords] } : byWords
}
