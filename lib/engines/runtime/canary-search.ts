import { plainCharacter } from './plain-character'

/** One way to write the canary, in letters and digits. */
export type Spelling = { text: string; ignoresCase: boolean }

type Range = { from: number; to: number }

/** Where the canary stands in a text, in order; from `openFrom` on, the text may be the beginning of one. */
export type CanarySearch = { found: Range[]; openFrom: number }

/** A text without what only separates; `places[i]` is where its character i stands in the text that was given. */
type Folded = { text: string; places: readonly number[] }

/** Separators at the end of a stream before it goes on without waiting for more letters. */
const mostSeparators = 64

/**
 * Returns what is looked for in a run (SPEC T7): its canary with and without the first word, and its digits as base64
 * writes them at each of the three offsets. Empty for a run that planted no canary.
 */
export function canarySpellings(canary: string): readonly Spelling[] {
  const digits = /^canary-([0-9a-f]{16})$/.exec(canary)?.[1]
  if (digits === undefined) return []
  return [
    { text: `canary${digits}`, ignoresCase: true },
    { text: digits, ignoresCase: true },
    ...[digits, digits.toUpperCase()]
      .flatMap(insideBase64)
      .map((text) => ({ text, ignoresCase: false })),
  ]
}

/** Returns how base64 writes a text inside another one at each offset, without the characters that both share. */
function insideBase64(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64')
    const firstOwn = Math.ceil((offset * 8) / 6)
    const afterOwn = Math.floor(((offset + text.length) * 8) / 6)
    return encoded.slice(firstOwn, afterOwn)
  })
}

/** Returns each place of the canary, whatever its case and whatever separates its letters. */
export function searchCanary(text: string, spellings: readonly Spelling[]): CanarySearch {
  if (spellings.length === 0) return { found: [], openFrom: text.length }
  const folded = fold(text)
  const found = merged(spellings.flatMap((spelling) => rangesOf(spelling, folded, text)))
  const open = folded.places[folded.text.length - openLength(folded.text, spellings)]
  const waits = text.length - (folded.places.at(-1) ?? 0) <= mostSeparators
  const openFrom = waits ? (open ?? text.length) : text.length
  return { found, openFrom: Math.max(openFrom, found.at(-1)?.to ?? 0) }
}

/** Keeps letters and digits, and of characters beyond ASCII what a reader takes them for. */
function fold(text: string): Folded {
  const kept: string[] = []
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const plain = character < '\x80' ? plainAscii(character) : plainCharacter(character)
    if (plain !== '') kept.push(plain)
    for (let unit = 0; unit < plain.length; unit++) places.push(at)
    at += character.length
  }
  return { text: kept.join(''), places }
}

function plainAscii(character: string): string {
  const isLetterOrDigit =
    (character >= 'a' && character <= 'z') ||
    (character >= '0' && character <= '9') ||
    (character >= 'A' && character <= 'Z')
  return isLetterOrDigit ? character : ''
}

function rangesOf({ text, ignoresCase }: Spelling, folded: Folded, source: string): Range[] {
  const ranges: Range[] = []
  // No folded character has another length in lower case: the only one that would, İ, is folded to I.
  const searched = ignoresCase ? folded.text.toLowerCase() : folded.text
  let at = searched.indexOf(text)
  while (at >= 0) {
    const last = folded.places[at + text.length - 1] ?? 0
    const width = (source.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
    ranges.push({ from: folded.places[at] ?? 0, to: last + width })
    at = searched.indexOf(text, at + text.length)
  }
  return ranges
}

/** Returns how many of the last characters may be the beginning of a spelling. */
function openLength(folded: string, spellings: readonly Spelling[]): number {
  let longest = 0
  for (const { text, ignoresCase } of spellings) {
    const tail = folded.slice(1 - text.length)
    const searched = ignoresCase ? tail.toLowerCase() : tail
    let length = searched.length
    while (length > longest && !searched.endsWith(text.slice(0, length))) length -= 1
    longest = Math.max(longest, length)
  }
  return longest
}

function merged(ranges: Range[]): Range[] {
  const whole: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to)
    else whole.push({ ...range })
  }
  return whole
}
