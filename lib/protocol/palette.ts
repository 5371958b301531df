import { type describedNouns, everyNoun, headingOf, pathOf } from './nouns'

/** Kinds that the command palette finds beside the described nouns: what their lists are called, where they are, and words that find all of them. */
const furtherKinds = {
  run: { heading: 'Runs', list: '/runs', finds: ['run', 'runs'] },
  conversation: {
    heading: 'Conversations',
    list: '/runs/conversations',
    finds: ['conversation', 'conversations', 'chat'],
  },
  check: { heading: 'Checks', list: '/checks', finds: ['check', 'checks'] },
  configuration: {
    heading: 'Configurations',
    list: '/configurations',
    finds: ['configuration', 'configurations'],
  },
  person: {
    heading: 'People',
    list: '/users',
    finds: ['person', 'people', 'user', 'users', 'account'],
  },
  connection: {
    heading: 'Connections',
    list: '/connections',
    finds: ['connection', 'connections', 'provider'],
  },
  model: { heading: 'Models', list: '/models', finds: ['model', 'models'] },
  skill: { heading: 'Skills', list: '/skills', finds: ['skill', 'skills'] },
} as const

type FoundNoun = Extract<
  (typeof describedNouns)[keyof typeof describedNouns],
  { finds: readonly string[] }
>

/** A kind of things that the command palette finds. */
export type PaletteKind = keyof typeof furtherKinds | FoundNoun['noun']

/** A kind in the palette: the heading of its results, the address of its list, and the words of a query that find all of it. */
type KindInPalette = { heading: string; list: string; finds: readonly string[] }

// Objects made key by key lose their keys.
const nounKinds = Object.fromEntries(
  everyNoun.flatMap((each) =>
    each.finds
      ? [[each.noun, { heading: headingOf(each), list: pathOf(each), finds: each.finds }]]
      : [],
  ),
) as Record<FoundNoun['noun'], KindInPalette>

export const kindsInPalette: Readonly<Record<PaletteKind, KindInPalette>> = {
  ...furtherKinds,
  ...nounKinds,
}

/** One thing found. `hint` tells it from others of its name; all of it may be hostile text. */
export type PaletteHit = { id: string; title: string; hint: string; href: string }

/** `more` = there are others that match, which the list at the page of this kind shows. */
export type PaletteFound = { kind: PaletteKind; hits: PaletteHit[]; more: boolean }

export const toolWords = ['tool', 'tools', 'switch', 'on', 'off']

/** Returns the words of a query, at most eight, in lower case. */
export function queryWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
}

/** Returns whether each word is one of `names` or in `text`. */
export function matchesWords(
  words: readonly string[],
  text: string,
  names: readonly string[] = [],
): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => names.includes(word) || lower.includes(word))
}
