const flagOf = (region: string) =>
  Array.from(region, (letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).join('')
/** The flags of England, Scotland and Wales, the one honest use of tag characters: no system draws other ones, which may spell anything. */
export const regionFlags = new RegExp(
  `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(flagOf).join('|')})\\u{e007f}`,
  'gu',
)

/** Text that is displayed other than it reads, or not at all: overrides of direction, tags, bytes in selectors. */
const hidden =
  /[\u202d\u202e]+|[\u{e0000}-\u{e007f}]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u200b-\u200d\u2060-\u2064]{8,}/gu

/** Returns whether a text has parts that people do not see and models read. */
export function hasHiddenText(text: string): boolean {
  return text.replace(regionFlags, '').search(hidden) !== -1
}

const mostPlaces = 5
const mostSpelled = 60
/** Deeper, a value is looked through as one text. */
const deepest = 50

/**
 * Returns where a text, or a text in a value, has parts that people do not see and models read, as a sentence; null = nowhere. `names`
 * leads to the text.
 */
export function hiddenWords(value: unknown): string | null {
  const places: Place[] = []
  let count = 0
  for (const place of placesIn(value, [])) {
    count += 1
    if (places.length < mostPlaces) places.push(place)
  }
  if (count === 0) return null
  const more = count > mostPlaces ? `; and ${count - mostPlaces} more` : ''
  return `Has hidden characters, which models read: ${places.map(placeWords).join('; ')}${more}.`
}

/** `names` lead to the text in which something stands at an index. */
type Place = { names: readonly string[]; text: string; index: number; found: string }

function* placesIn(value: unknown, names: readonly string[]): Generator<Place> {
  if (typeof value === 'string') yield* placesOf(value, names)
  else if (typeof value === 'object' && value !== null) {
    if (names.length >= deepest) return yield* placesOf(JSON.stringify(value), names)
    for (const [name, inner] of Object.entries(value)) {
      yield* placesOf(name, [...names, 'a name'])
      yield* placesIn(inner, [...names, name])
    }
  }
}

function* placesOf(whole: string, names: readonly string[]): Generator<Place> {
  // Flags keep their length, so that places stay right.
  const text = whole.replace(regionFlags, (flag) => ' '.repeat(flag.length))
  for (const { 0: found, index } of text.matchAll(hidden)) yield { names, text, index, found }
}

function placeWords({ names, text, index, found }: Place): string {
  const lines = text.slice(0, index).split('\n')
  const column = [...(lines.at(-1) ?? '')].length + 1
  const path = names.map((name) => name.slice(0, 40))
  return `${[...path, `line ${lines.length}`, `column ${column}`].join(', ')} (${whatOf(found)})`
}

function whatOf(found: string): string {
  if (/[\u202d\u202e]/.test(found)) return 'text that is shown in another direction'
  const count = [...found].length
  const ascii = [...found].map((each) => (each.codePointAt(0) ?? 0) - 0xe0000)
  if (!ascii.every((code) => code >= 0 && code < 0x80)) return `${count} invisible characters`
  const spelled = String.fromCharCode(...ascii.slice(0, mostSpelled)).replace(/[^ -~]/g, '')
  return `${count} invisible letters: “${spelled}${ascii.length > mostSpelled ? '…' : ''}”`
}
