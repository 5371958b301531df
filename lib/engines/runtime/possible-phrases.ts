import { type PhrasePattern, phrasePatterns } from './phrase-patterns'

/** Who may match where one of the beginnings stands: its owners, and those of longer and shorter ones. */
const owners = new Map(
  [...new Set(phrasePatterns.flatMap(({ beginnings }) => beginnings ?? []))].map((text) => [
    text,
    phrasePatterns.filter(({ beginnings }) => beginnings?.some(overlaps(text))),
  ]),
)

const anyBeginning = new RegExp(`\\b(?=(${[...owners.keys()].toSorted().join('|')}))`, 'g')
const markup = phrasePatterns.filter(({ beginnings }) => beginnings === null)
const brackets = ['<', '[']

/**
 * Returns the patterns that a text in plain lower case may match, in their order. One search for their beginnings costs
 * a fraction of a search for each, and most text has few.
 */
export function possiblePhrases(text: string): PhrasePattern[] {
  const possible = new Set<PhrasePattern>()
  for (const [, beginning = ''] of text.matchAll(anyBeginning)) {
    for (const pattern of owners.get(beginning) ?? []) possible.add(pattern)
    if (possible.size === phrasePatterns.length - markup.length) break
  }
  if (brackets.some((bracket) => text.includes(bracket))) {
    for (const pattern of markup) possible.add(pattern)
  }
  return phrasePatterns.filter((pattern) => possible.has(pattern))
}

function overlaps(text: string) {
  return (other: string): boolean => text.startsWith(other) || other.startsWith(text)
}
