/**
 * Returns the words of a command line: spaces separate them, quotes hold them together, a backslash takes the next character
 * as it is. Nothing else has a meaning: no shell reads it. Null when a quote is not closed.
 */
export function parseCommandLine(text: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\' && quote !== "'") {
      at++
      word = (word ?? '') + (text[at] ?? '')
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== '') return null
  return word === null ? words : [...words, word]
}

/** Returns words as a command line that `parseCommandLine` reads again. */
export function commandLineOf(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ')
}

/** Returns the names and values of lines such as `Name: value`; a string says which line has neither. */
export function parsePairs(text: string, separator: ':' | '='): Record<string, string> | string {
  const pairs: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const at = line.indexOf(separator)
    const name = line.slice(0, at).trim()
    if (at < 1 || name === '') return `Write "name${separator} value" on each line.`
    if (Object.hasOwn(pairs, name)) return `${name} is there twice.`
    pairs[name] = line.slice(at + 1).trim()
  }
  return pairs
}
