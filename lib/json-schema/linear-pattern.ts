import { RE2JS } from 're2js'
import type { Matcher } from './keyword'
import { type PatternParts, parsePattern } from './pattern-syntax'

/** `find` returns where the first match begins and ends (UTF-16 units); null = there is none. */
type LinearPattern = Matcher & { find: (text: string) => { start: number; end: number } | null }

/**
 * Returns a matcher for a regular expression as JSON Schema has them, whose time grows with the text alone. Throws an Error
 * whose message says what of it cannot be matched so. Not for browsers: the engine is large.
 */
export function linearPattern(
  pattern: string,
  { ignoresCase = false }: { ignoresCase?: boolean } = {},
): LinearPattern {
  const { text, ahead, characters, size } = parsePattern(pattern)
  const compile = (source: string) =>
    RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
  const main = compile(text)
  const looks = ahead.map((each) => ({ ...each, compiled: compile(each.text) }))
  const fits = (given: string) =>
    isWithin(given, characters) &&
    looks.every(({ compiled, isNegated }) => compiled.test(given) !== isNegated)
  return {
    steps: size,
    matches: (given) => fits(given) && main.test(given),
    find: (given) => {
      const found = main.matcher(given)
      return found.find() && fits(given) ? { start: found.start(), end: found.end() } : null
    },
  }
}

/**
 * Returns a matcher that keeps nothing of a regular expression but how large it is: it says whether a schema can be checked, and
 * checks nothing. Throws as `linearPattern` does.
 */
export function triedPattern(pattern: string): Matcher {
  const { steps } = linearPattern(pattern)
  return { steps, matches: refuseToMatch }
}

function refuseToMatch(): never {
  throw new Error('This schema was only tried; nothing can be checked with it.')
}

function isWithin(text: string, characters: PatternParts['characters']): boolean {
  if (!characters) return true
  let count = 0
  for (const _ of text) count += 1
  return count >= characters.least && count <= characters.most
}
