import { canaryLayers, type Layer, placeIn } from './canary-layers'
import type { Spelling } from './canary-spellings'
import { plainCharacter } from './plain-character'

type Range = { from: number; to: number }
type Sought = { spellings: readonly Spelling[]; gap: number }

/** Where the canary stands in a text, in order; from `openFrom` on, the text may be the beginning of one. */
export type CanarySearch = { found: Range[]; openFrom: number }

/** How much may stand between two letters of a spelling while more text is to come: a stream cannot wait for ever. */
const mostBetween = 64

/**
 * Looks for every spelling of the canary, whatever its case, whatever separates its letters, escaped or not. In a
 * `whole` text any number of separators may stand between, otherwise 64. Takes time in proportion to the text.
 */
export function searchCanary(
  text: string,
  spellings: readonly Spelling[],
  { whole = false } = {},
): CanarySearch {
  const gap = whole ? Number.POSITIVE_INFINITY : mostBetween
  if (spellings.length === 0 || (whole && isTooShort(text, spellings))) {
    return { found: [], openFrom: text.length }
  }
  const ranges: Range[] = []
  let openFrom = text.length
  for (const layer of canaryLayers(text)) {
    openFrom = Math.min(openFrom, layer.openFrom, searchLayer(layer, { spellings, gap }, ranges))
  }
  const found = merged(ranges)
  const inside = found.find(({ from, to }) => from < openFrom && openFrom < to)
  return { found, openFrom: inside?.to ?? openFrom }
}

/** Adds what it finds to `ranges` and gives the place from which something may have begun. */
function searchLayer(layer: Layer, { spellings, gap }: Sought, ranges: Range[]): number {
  const { text } = layer
  const known = spellings.map(() => 0)
  const begins = beginsOf(spellings)
  let begun = false
  const places: number[] = []
  let placed = 0
  let lastAt = 0
  const openAt = indexOfOpen(layer)
  let openFrom = placeIn(layer, text.length)

  /** Where the longest beginning that is known now begins. */
  const beginning = (): number => {
    const longest = Math.max(...known)
    return placeIn(layer, longest === 0 ? text.length : (places[placed - longest] ?? text.length))
  }

  const take = (symbol: number, at: number): boolean => {
    if (!begun) {
      if (symbol > 127 || begins[symbol] === 0) return false
      placed = 0
    }
    places[placed++] = at
    begun = false
    const lower = symbol >= 65 && symbol <= 90 ? symbol + 32 : symbol
    let longest = 0
    for (let index = 0; index < spellings.length; index++) {
      const spelling = spellings[index]
      if (!spelling) continue
      const length = grown(spelling, known[index] ?? 0, spelling.ignoresCase ? lower : symbol)
      known[index] = length
      begun ||= length > 0
      if (length === spelling.codes.length) longest = Math.max(longest, length)
    }
    if (longest === 0) return false
    ranges.push({ from: placeIn(layer, places[placed - longest] ?? at), to: 0 })
    known.fill(0)
    begun = false
    return true
  }

  const takeAt = (symbol: number, at: number, width: number): void => {
    const last = take(symbol, at) && ranges.at(-1)
    if (last) last.to = placeIn(layer, at + width)
  }

  for (let at = 0, width = 1; at < text.length; at += width) {
    // What begins here may turn out to separate, and what came before it then goes on.
    if (at === openAt) openFrom = beginning()
    const code = text.charCodeAt(at)
    width = 1
    if (separates[code] === 1) continue
    if (code < 128) {
      if (at - lastAt > gap) known.fill(0)
      lastAt = at
      takeAt(code, at, 1)
      continue
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    width = character.length
    const symbols = plainCharacter(character)
    if (symbols === '') continue
    if (at - lastAt > gap) known.fill(0)
    lastAt = at
    for (let index = 0; index < symbols.length; index++)
      takeAt(symbols.charCodeAt(index), at, width)
  }
  return text.length - lastAt > gap ? openFrom : Math.min(openFrom, beginning())
}

/** The first place of the layer's own text that may belong to an escape that is not whole yet. */
function indexOfOpen(layer: Layer): number {
  let index = layer.text.length
  while (index > 0 && placeIn(layer, index - 1) >= layer.openFrom) index -= 1
  return index
}

/** ASCII stands for itself at most, and reading escapes only shortens. */
function isTooShort(text: string, spellings: readonly Spelling[]): boolean {
  const shortest = Math.min(...spellings.map(({ codes }) => codes.length))
  return text.length < shortest && Buffer.byteLength(text) === text.length
}

const beginnings = new WeakMap<readonly Spelling[], Uint8Array>()

/** 1 for each code of ASCII that a spelling may begin with. */
function beginsOf(spellings: readonly Spelling[]): Uint8Array {
  let begins = beginnings.get(spellings)
  if (!begins) {
    begins = new Uint8Array(128)
    for (const code of spellings.flatMap(firstCodes)) begins[code] = 1
    beginnings.set(spellings, begins)
  }
  return begins
}

/** The letters a spelling may begin with. */
function firstCodes({ codes: [first = 0], ignoresCase }: Spelling): number[] {
  const capital = ignoresCase && first >= 97 ? first - 32 : first
  return [first, capital]
}

/** How much of the spelling is there after one more of its letters, or of others. */
function grown({ codes, fallbacks }: Spelling, known: number, symbol: number): number {
  let length = known
  while (length > 0 && codes[length] !== symbol) length = fallbacks[length - 1] ?? 0
  return codes[length] === symbol ? length + 1 : length
}

/** Letters and digits stand for themselves; everything else of ASCII only separates: 1 here. */
const separates = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-zA-Z0-9]/.test(String.fromCharCode(code)) ? 0 : 1,
)

function merged(ranges: Range[]): Range[] {
  const whole: Range[] = []
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to)
    else whole.push({ ...range })
  }
  return whole
}
