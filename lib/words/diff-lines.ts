import { type Change, diffLines as compareLines, diffWordsWithSpace as compareWords } from 'diff'

/** A run of lines or words; `value` keeps its line ends. */
export type DiffPart = { type: 'same' | 'added' | 'removed'; value: string }

/** Two texts without much in common are not worth more: the whole old one and the whole new one are shown. */
const limits = { timeout: 500, maxEditLength: 5_000 }

/** Limits for a page that everybody can open: a server has other requests to answer meanwhile (SPEC A9). */
export const quickLimits = { timeout: 30, maxEditLength: 1_000 }
const mostQuickCharacters = 500_000

type Texts = { before: string; after: string }

/** Returns the changes that turn `before` into `after`, line by line. */
export function diffLines(before: string, after: string): DiffPart[] {
  return toParts(compareLines(before, after, limits), { before, after })
}

/** Returns the lines of both texts as `diffLines` does, within the limits of a page that everybody can open. */
export function diffLinesQuickly(before: string, after: string): DiffPart[] {
  const texts = { before, after }
  return toParts(isShort(texts) ? compareLines(before, after, quickLimits) : undefined, texts)
}

/** Returns the changes that turn `before` into `after`, word by word, within the limits of a page that everybody can open. */
export function diffWordsQuickly(before: string, after: string): DiffPart[] {
  const texts = { before, after }
  return toParts(isShort(texts) ? compareWords(before, after, quickLimits) : undefined, texts)
}

function isShort({ before, after }: Texts): boolean {
  return before.length + after.length <= mostQuickCharacters
}

/** Returns the parts of a difference; both whole texts when they have too little in common. */
function toParts(parts: readonly Change[] | undefined, { before, after }: Texts): DiffPart[] {
  if (!parts) {
    return [
      { type: 'removed', value: before },
      { type: 'added', value: after },
    ]
  }
  return parts.map(({ added, removed, value }) => ({
    type: added ? 'added' : removed ? 'removed' : 'same',
    value,
  }))
}
