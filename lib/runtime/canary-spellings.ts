/** One way to write the canary: its letters and digits in their order; whatever stands between them is ignored. */
export type Spelling = {
  codes: readonly number[]
  ignoresCase: boolean
  /** For each place: how much of the beginning ends there too (Knuth, Morris and Pratt). */
  fallbacks: readonly number[]
}

/**
 * The spellings of a run's canary that are looked for (SPEC T7): as it is, without its first word, backwards, and its
 * digits as bytes in hexadecimal, decimal or at any place of a base64 text. None for a run that planted no canary.
 */
export function canarySpellings(canary: string): readonly Spelling[] {
  let spellings = known.get(canary)
  if (!spellings) {
    spellings = writeSpellings(canary)
    if (known.size >= mostKnown) known.clear()
    known.set(canary, spellings)
  }
  return spellings
}

/** Asked for several times a round; a run keeps its canary. */
const known = new Map<string, readonly Spelling[]>()
const mostKnown = 500

function writeSpellings(canary: string): readonly Spelling[] {
  const digits = /^canary-([0-9a-f]{16})$/.exec(canary)?.[1]
  if (digits === undefined) return []
  const both = [digits, digits.toUpperCase()]
  return [
    ...[`canary${digits}`, digits, [...digits].reverse().join('')].map((text) => spell(text, true)),
    ...both.map((text) => spell(Buffer.from(text).toString('hex'), true)),
    ...both.map((text) => spell([...Buffer.from(text)].join(''), true)),
    ...both.flatMap(insideBase64).map((text) => spell(text, false)),
  ]
}

/** The three ways base64 writes a text in the middle of another one, without the characters it shares with it. */
function insideBase64(text: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('\0'.repeat(offset) + text).toString('base64')
    const firstOwn = Math.ceil((offset * 8) / 6)
    const afterOwn = Math.floor(((offset + text.length) * 8) / 6)
    return encoded.slice(firstOwn, afterOwn)
  })
}

function spell(text: string, ignoresCase: boolean): Spelling {
  const codes = [...Buffer.from(ignoresCase ? text.toLowerCase() : text)]
  return { codes, ignoresCase, fallbacks: fallbacksOf(codes) }
}

function fallbacksOf(codes: readonly number[]): number[] {
  const fallbacks = [0]
  for (let place = 1, known = 0; place < codes.length; place++) {
    while (known > 0 && codes[place] !== codes[known]) known = fallbacks[known - 1] ?? 0
    if (codes[place] === codes[known]) known++
    fallbacks.push(known)
  }
  return fallbacks
}
