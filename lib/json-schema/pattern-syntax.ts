import type { Matcher } from './keyword'
import { writtenToken } from './pattern-escapes'

/** An expression for RE2, and about how many instructions it compiles to. */
type Expression = { text: string; size: number }

/**
 * Requirements of a pattern: a match of the expression, of its positive or negative lookaheads, and a number of
 * characters.
 */
export type PatternParts = Expression & {
  ahead: (Expression & { isNegated: boolean })[]
  characters: { least: number; most: number } | null
}

/** A part that a repetition may follow. `repeats`: the product of the repetitions in each other. */
type Atom = Expression & { repeats: number }

/** A group while it is read: its complete alternatives, and the atoms of the current one. */
type Group = { alternatives: Atom[]; atoms: Atom[] }

const longestPattern = 2_000
const mostInstructions = 5_000
/** RE2 refuses more repetitions in each other. */
const mostRepeats = 1_000

/**
 * Returns a regular expression as JSON Schema has them (ECMA-262 with the flag `u`) for an engine whose time grows with the
 * text alone. Throws an Error whose message says what it cannot match: references back to groups, and looks ahead or behind
 * (except ahead at the very beginning, after `^`).
 */
export function parsePattern(pattern: string): PatternParts {
  if (pattern.length > longestPattern) throw new Error('it has more than 2,000 characters')
  let tokens: readonly string[] = validPattern(pattern).match(anyToken) ?? []
  const ahead: PatternParts['ahead'] = []
  for (let look = leadingLook(tokens); look; look = leadingLook(tokens)) {
    const { text, size } = joined(readTokens(look.inner))
    ahead.push({ text: `^(?:${text})`, size, isNegated: look.isNegated })
    tokens = look.rest
  }
  const characters = charactersOf(tokens)
  // The count is left to a loop: compiled, each character would be an instruction.
  const alternatives = readTokens(characters ? tokens.with(2, '*') : tokens)
  if (ahead.length > 0 && alternatives.length > 1) throw new Error('it looks ahead beside a choice')
  const { text, size } = joined(alternatives)
  const whole = checkedSize(ahead.reduce((sum, each) => sum + each.size, size))
  return { text, size: whole, ahead, characters }
}

/** Returns how many characters an expression such as `^[a-z]{1,2000}$` wants; null = it is another one. */
function charactersOf(tokens: readonly string[]): PatternParts['characters'] {
  const [start, token = '', quantifier = '', end, ...rest] = tokens
  if (start !== '^' || end !== '$' || rest.length > 0 || /^[(^$]|^\\[bB]$/.test(token)) return null
  const [, least, comma, most = ''] = /^\{(\d+)(,)?(\d*)\}/.exec(quantifier) ?? []
  if (least === undefined) return null
  const open = most === '' ? Number.POSITIVE_INFINITY : Number(most)
  return { least: Number(least), most: comma === undefined ? Number(least) : open }
}

/** Returns a matcher that refuses what cannot be matched, and matches nothing: for browsers, which do not load the engine. */
export function unmatchedPattern(pattern: string): Matcher {
  return { steps: parsePattern(pattern).size, matches: () => false }
}

const anyToken =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[^(]*?:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu

/** Returns the pattern as the flag `u` wants it: what needs no escape must have none, and braces need one. */
function validPattern(pattern: string): string {
  try {
    new RegExp(pattern, 'u')
    return pattern
  } catch (error) {
    const strict = strictPattern(pattern)
    if (isValid(strict)) return strict
    throw new Error(error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error))
  }
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

const looseToken = /\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|./gsu

function strictPattern(pattern: string): string {
  return pattern.replace(looseToken, (token) => {
    if (/^\\[^\w^$\\.*+?()[\]{}|/]$|^\\_$/u.test(token)) return token.slice(1)
    if (/^[{}\]]$/.test(token)) return `\\${token}`
    return token.startsWith('[') ? strictClass(token) : token
  })
}

/** Escapes the dashes beside a class such as `\w`, which are no ranges. */
function strictClass(text: string): string {
  const tokens = text.slice(1, -1).match(/\\.|./gsu) ?? []
  const isSet = (token = '') => /^\\[dDwWsS]$/.test(token)
  const strict = tokens.map((token, at) => {
    if (token === '-' && (isSet(tokens[at - 1]) || isSet(tokens[at + 1]))) return '\\-'
    return /^\\([^\w^$\\.*+?()[\]{}|/-]|_)$/u.test(token) ? token.slice(1) : token
  })
  return `[${strict.join('')}]`
}

type Look = { isNegated: boolean; inner: readonly string[]; rest: readonly string[] }

/** Returns what an expression looks ahead for at its very beginning; null = it does not. */
function leadingLook(tokens: readonly string[]): Look | null {
  const [first, second] = tokens
  if (first !== '^' || (second !== '(?=' && second !== '(?!')) return null
  let depth = 0
  const end = tokens.findIndex((token, at) => {
    if (at === 0) return false
    depth += isOpening(token) ? 1 : Number(token === ')') * -1
    return depth === 0
  })
  return {
    isNegated: second === '(?!',
    inner: tokens.slice(2, end),
    rest: ['^', ...tokens.slice(end + 1)],
  }
}

function isOpening(token: string): boolean {
  return token.startsWith('(')
}

/** Returns the alternatives of an expression. */
function readTokens(tokens: readonly string[]): Atom[] {
  const outer: Group[] = []
  let group: Group = { alternatives: [], atoms: [] }
  for (const token of tokens) {
    if (isOpening(token)) {
      refuseLook(token)
      outer.push(group)
      group = { alternatives: [], atoms: [] }
    } else if (token === ')') {
      const inner = joined(closed(group))
      group = outer.pop() ?? group
      group.atoms.push({ ...inner, text: `(?:${inner.text})` })
    } else if (token === '|') group = { alternatives: closed(group), atoms: [] }
    else if (/^[*+?{]/.test(token)) group.atoms.push(repeated(group.atoms.pop(), token))
    else group.atoms.push({ text: writtenToken(token), size: 1, repeats: 1 })
  }
  return closed(group)
}

function refuseLook(token: string): void {
  if (/^\(\?<?[=!]/.test(token)) throw new Error('it looks ahead or behind')
  if (/^\(\?[^:<]/.test(token)) throw new Error('it changes flags')
}

function closed({ alternatives, atoms }: Group): Atom[] {
  return [...alternatives, concatenated(atoms)]
}

function concatenated(atoms: readonly Atom[]): Atom {
  return {
    text: atoms.map(({ text }) => text).join(''),
    size: checkedSize(atoms.reduce((sum, { size }) => sum + size, 0)),
    repeats: mostOf(atoms),
  }
}

function joined(alternatives: readonly Atom[]): Atom {
  return {
    text: alternatives.map(({ text }) => text).join('|'),
    size: checkedSize(alternatives.reduce((sum, { size }) => sum + size + 1, 0)),
    repeats: mostOf(alternatives),
  }
}

function mostOf(atoms: readonly Atom[]): number {
  return atoms.reduce((most, { repeats }) => Math.max(most, repeats), 1)
}

function checkedSize(size: number): number {
  if (size > mostInstructions) throw new Error('it repeats too much')
  return size
}

const nothing: Atom = { text: '(?:)', size: 1, repeats: 1 }

/** Returns an atom that is repeated. Whether a repetition is lazy decides what is matched, not whether. */
function repeated(atom: Atom = nothing, quantifier: string): Atom {
  const { text, size, repeats } = atom
  const [, least = '', comma, most = ''] = /^\{(\d+)(,)?(\d*)\}/.exec(quantifier) ?? []
  if (least === '') return { text: text + quantifier.charAt(0), size: size + 1, repeats }
  const from = Number(least)
  const to = comma === undefined ? from : Number(most)
  const isOpen = comma !== undefined && most === ''
  const further = isOpen ? 1 : to - from
  const whole = checkedSize(size * from + (size + 1) * further)
  const parts = [times(atom, from, ''), isOpen ? `${text}*` : times(atom, further, '0,')]
  return {
    text: `(?:${parts.join('')})`,
    size: whole + 1,
    repeats: repeats * Math.min(mostRepeats, Math.max(from, further, 1)),
  }
}

/** Returns so many of an atom, in pieces that RE2 takes. `least`: `0,` = up to so many. */
function times({ text, repeats }: Atom, count: number, least: '' | '0,'): string {
  const piece = Math.max(1, Math.floor(mostRepeats / repeats))
  const written = (n: number) => (n === 0 ? '' : `${text}{${least}${n}}`)
  return written(piece).repeat(Math.floor(count / piece)) + written(count % piece)
}
