import { redactLines } from '@/lib/kernel/redaction/redact-text'

/** Characters that are searched for secrets at once, and characters before and after them. */
const blockCharacters = 24_000
const lookedAround = 4_000
/** No line is looked at beyond this. */
const longestLine = 4_000

/** Lines of a text that stand together. `first`: the number of the first one. `shown`: the same lines without secrets. */
type Block = { first: number; lines: string[]; shown: () => string[] }

/** Divides a text into blocks, so that other work can come between. */
export function* blocksOf(whole: readonly string[]): Generator<Block> {
  const all = whole.map((line) => line.slice(0, longestLine))
  let next = 0
  while (next < all.length) {
    const from = next
    next += fitting(all, from, blockCharacters, 1)
    const until = next
    const shown = () => shownLines(all, from, until)
    yield { first: from + 1, lines: all.slice(from, until), shown }
  }
}

function shownLines(all: readonly string[], from: number, until: number): string[] {
  const before = fitting(all, from - 1, lookedAround, -1)
  const after = fitting(all, until, lookedAround, 1)
  const around = all.slice(from - before, until + after)
  return redactLines(around, { hashes: true }).slice(before, before + until - from)
}

/** Returns how many lines from a place on have so many characters, the last of them perhaps more. */
function fitting(all: readonly string[], from: number, characters: number, step: 1 | -1): number {
  let count = 0
  let sum = 0
  while (sum < characters && all[from + count * step] !== undefined) {
    sum += (all[from + count * step]?.length ?? 0) + 1
    count += 1
  }
  return count
}
