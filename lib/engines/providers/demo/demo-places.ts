/** The names of time zones by the city in them, such as "tokyo" for Asia/Tokyo. */
let zonesByCity: Map<string, string> | undefined

/** Returns the time zone that some words name, by its own name or by its city; null = they name none. */
export function zoneOf(words: readonly string[]): string | null {
  zonesByCity ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
  )
  for (let from = 0; from < words.length; from += 1) {
    for (const length of [3, 2, 1]) {
      const name = words.slice(from, from + length).join(' ')
      const found = /^[a-z]+\/[a-z_/]+$/i.test(name) ? name : zonesByCity.get(name.toLowerCase())
      if (found) return found
    }
  }
  return null
}

const operators: readonly (readonly [RegExp, string])[] = [
  [/(\d),(?=\d{3}\b)/g, '$1'],
  [/\b(?:percent|per cent)\b/g, '%'],
  [/%\s*of\b/g, '% *'],
  [/\b(?:times|multiplied by|x)\b|×/g, '*'],
  [/\bplus\b/g, '+'],
  [/\bminus\b|−/g, '-'],
  [/\b(?:divided by|over)\b|÷/g, '/'],
  [/\bto the power of\b/g, '^'],
  [/\bthe square root of\s*(\d[\d.]*)/g, 'sqrt($1)'],
]

const arithmetic =
  /^(?:[\d\s.+\-*/^%(),]|pi\b|abs\b|ceil\b|exp\b|floor\b|ln\b|log10\b|max\b|mean\b|min\b|mod\b|round\b|sqrt\b|sum\b)+$/

/** Returns the expression that a text writes in figures and words, such as "17.5 % of 80"; null = it is none. */
export function expressionOf(text: string): string | null {
  const written = operators.reduce(
    (all, [pattern, sign]) => all.replace(pattern, sign),
    text.toLowerCase().trim(),
  )
  return arithmetic.test(written) && /\d/.test(written) && /[-+*/^%(]/.test(written)
    ? written
    : null
}
