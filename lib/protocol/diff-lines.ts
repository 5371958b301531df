import { diffLines as compare } from 'diff'

/** A run of lines; `value` keeps its line ends. */
export type DiffPart = { type: 'same' | 'added' | 'removed'; value: string }

/** Two texts without much in common are not worth more: the whole old one and the whole new one are shown. */
const limits = { timeout: 500, maxEditLength: 5_000 }

/** Returns the changes that turn `before` into `after`, line by line. */
export function diffLines(before: string, after: string): DiffPart[] {
  const parts = compare(before, after, limits)
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
