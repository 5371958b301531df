import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearPattern } from './linear-pattern'
import { unmatchedPattern } from './pattern-syntax'

const texts = [
  'a',
  'b',
  'A',
  '0',
  '_',
  '-',
  ' ',
  '\n',
  '\u2028',
  'é',
  'ſ',
  '\u212a',
  '😀',
  '\ud83d',
]
  .concat(['\ude00', '\u00a0', '\ufeff', '\u0000', '/', ']', '{', '.', '^', '$', '𝒜'])
  .map((each) => fc.constant(each))
const inClasses = ['a', '0', '-', '^', '[', 'a-c', '\\d', '\\w', '\\s', '\\S', '\\D', '\\W', '\\]']
  .concat(['\\\\', '\\-', '\\b', '\\x41', '\\u{1f600}', '\\ud83d\\ude00', '\\ud83d', '\\p{L}'])
  .concat(['\\P{Lu}', '😀', '.', '$', '|', '(', '&&', '--', '\\p{Script=Greek}', '\\p{ASCII}', ' '])
const simple = ['a', 'b', '0', ' ', 'é', '😀', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b']
  .concat([
    '\\B',
    '^',
    '$',
    '\\x41',
    '\\u{1f600}',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
    '\\p{L}',
  ])
  .concat([
    '\\P{L}',
    '\\/',
    '\\.',
    '[]',
    '[^]',
    '\\0',
    '\\cA',
    '\\v',
    '\\P{ASCII}',
    '"',
    '\\p{Emoji}',
  ])
const quantifiers = ['', '', '', '*', '+', '?', '*?', '{2}', '{1,2}', '{0}', '{0,3}', '{2,}', '??']

const classes = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom(...inClasses), { maxLength: 4 }))
  .map(([isNegated, parts]) => `[${isNegated ? '^' : ''}${parts.join('')}]`)
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc
    .tuple(fc.array(tie('term'), { maxLength: 4 }), fc.constantFrom('', '|'))
    .map(([terms, between]) => terms.join(between)),
  term: fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...simple) },
        { weight: 1, arbitrary: classes },
        { weight: 1, arbitrary: tie('pattern').map((inner) => `(${inner})`) },
        { weight: 1, arbitrary: tie('pattern').map((inner) => `(?<name>${inner})`) },
      ),
      fc.constantFrom(...quantifiers),
    )
    .map(([atom, quantifier]) => atom + quantifier),
}))
const ahead = fc
  .tuple(fc.constantFrom('(?=', '(?!'), pattern, pattern)
  .map(([look, inner, rest]) => `^${look}${inner})${rest}`)
const manyTexts = fc.array(
  fc.array(fc.oneof(...texts), { maxLength: 6 }).map((each) => each.join('')),
  { minLength: 6, maxLength: 6 },
)

function nativePattern(source: string): RegExp | null {
  try {
    return new RegExp(source, 'u')
  } catch {
    return null
  }
}

test('a pattern matches exactly the texts that the browser matches', () => {
  let compared = 0
  fc.assert(
    fc.property(fc.oneof(pattern, ahead), manyTexts, (source, given) => {
      const native = nativePattern(source)
      // A look ahead beside a choice is refused, as the next test shows.
      if (!native || /^\^\(\?[=!].*\|/s.test(source)) return
      const { matches } = linearPattern(source)
      for (const text of given) {
        expect([source, text, matches(text)]).toEqual([source, text, native.test(text)])
      }
      compared += 1
    }),
    { numRuns: 400 },
  )
  expect(compared).toBeGreaterThan(100)
})

describe.each([linearPattern, unmatchedPattern])('%o', (toMatcher) => {
  test.each([
    ['a(?=b)', 'it looks ahead or behind'],
    ['(?<!a)b', 'it looks ahead or behind'],
    ['^(?!a)b|c', 'it looks ahead beside a choice'],
    ['(a)\\1', 'it refers back to a group'],
    ['(?<x>a)\\k<x>', 'it refers back to a group'],
    ['\\p{Script=Kawi}', 'it names \\p{Script=Kawi}'],
    ['\\p{Script_Extensions=Greek}', 'it names \\p{Script_Extensions=Greek}'],
    ['(', 'Unterminated group'],
    ['a**', 'Nothing to repeat'],
    ['\\q', 'Invalid escape'],
    ['(x.{1000}){20}', 'it repeats too much'],
    ['((((a{100}){100}){100}){100}){100}', 'it repeats too much'],
    ['(a?){99999999999999999999}', 'it repeats too much'],
    ['a'.repeat(2_001), 'it has more than 2,000 characters'],
  ])('%s is refused: %s', (source, words) => {
    expect(() => toMatcher(source)).toThrow(words)
  })
})

test.each([
  'L',
  'LC',
  'Nd',
  'Letter',
  'punct',
  'Control',
  'gc=Lu',
  'General_Category=Symbol',
  'Any',
  'ASCII',
  'Alphabetic',
  'White_Space',
  'Emoji_Presentation',
  'sc=Han',
  'Script=Tibetan',
])('\\p{%s} is the same set as in a browser', (name) => {
  for (const sign of ['p', 'P']) {
    const source = `^\\${sign}{${name}}$`
    const { matches } = linearPattern(source)
    const native = new RegExp(source, 'u')
    for (let code = 0; code < 0x110_000; code += 61) {
      const text = String.fromCodePoint(code)
      // An older Node knows fewer characters than the engine does.
      if (/\p{Cn}/u.test(text)) continue
      if (matches(text) !== native.test(text)) expect.fail(`${source} and ${code.toString(16)}`)
    }
  }
})

test.each<[string, string[], string[]]>([
  ['^[\\w-.]+\\@x\\_y$', ['a-b.c@x_y'], ['a@x-y', '@x_y']],
  ['^{{\\w+}}$', ['{{name}}'], ['{name}', '{{}}']],
  ['^.{1,3000}$', ['a', '😀'.repeat(3_000)], ['', 'a'.repeat(3_001), 'a\n']],
  ['^x.{1500}y', [`x${'a'.repeat(1_500)}y`], [`x${'a'.repeat(1_499)}y`]],
  ['^((a{30}){40}b?){2}$', ['a'.repeat(2_400)], ['a'.repeat(2_399)]],
  ['^(?=.*\\d)(?!.*\\s)\\S{4,}$', ['abc1'], ['abcd', 'ab 1cd', 'a1']],
])('%s fits what its author means', (source, fitting, others) => {
  const { matches } = linearPattern(source)
  expect(fitting.map(matches)).toEqual(fitting.map(() => true))
  expect(others.map(matches)).toEqual(others.map(() => false))
})

test.each(['^(a+)+$', '^(a|aa)*$', '^(a|a?)+$', '(a*)*b'])(
  '%s takes time for the text alone',
  (source) => {
    const { matches } = linearPattern(source)
    // A backtracking engine would not return within the life of this machine.
    expect(matches(`${'a'.repeat(50_000)}!`)).toBe(false)
  },
)
