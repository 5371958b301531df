import { type Change, diffLines as compare, diffWordsWithSpace } from 'diff'

/** A run of lines; `value` keeps its line ends. */
export type DiffPart = { type: 'same' | 'added' | 'removed'; value: string }

/** Two texts without much in common are not worth more: the whole old one and the whole new one are shown. */
const limits = { timeout: 500, maxEditLength: 5_000 }

/** Returns the changes that turn `before` into `after`, line by line. */
export function diffLines(before: string, after: string): DiffPart[] {
  return toParts(compare(before, after, limits), { before, after })
}

/** Returns the changes that turn `before` into `after`, word by word. */
export function diffWords(before: string, after: string): DiffPart[] {
  return toParts(diffWordsWithSpace(before, after, limits), { before, after })
}

/** Returns the parts of a difference; both whole texts when they have too little in common. */
function toParts(
  parts: readonly Change[] | undefined,
  { before, after }: Record<'before' | 'after', string>,
): DiffPart[] {
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
