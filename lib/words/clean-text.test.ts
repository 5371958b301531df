import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanArguments, cleanName, cleanText, firstWords } from './clean-text'

test('text loses NUL, DEL and C0 controls but keeps tab, newline and return', () => {
  expect(cleanText('a\0b\x1b[31mc\x7f\td\r\ne')).toBe('ab[31mc\td\r\ne')
})

test('lone surrogates are replaced, pairs stay', () => {
  expect(cleanText('x\ud800y😀')).toBe('x\ufffdy😀')
})

test('a bad name never becomes a good one', () => {
  expect(cleanName('fetch\0_logs')).not.toBe('fetch_logs')
  expect(cleanName('x'.repeat(300))).toHaveLength(201)
})

test('arguments that were no JSON stay no JSON, and JSON stays what it is', () => {
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const pieces = fc.constantFrom(
    '{',
    '}',
    '"',
    'a',
    ':',
    '1',
    ',',
    '\0',
    '\x01',
    '\x7f',
    ' ',
    '\\',
    'u0000',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      if (!isJson(text)) expect(isJson(cleanArguments(text))).toBe(false)
    }),
    { numRuns: 2000 },
  )
  for (const text of ['{"a":"\0"}', '{"a":\0"b"}', '{\0}', '{"a":1}\x7f']) {
    expect(isJson(cleanArguments(text))).toBe(false)
  }
  expect(JSON.parse(cleanArguments('{"a":"\x7f"}'))).toEqual({ a: '\ufffd' })
})

test('a title is the first words of a text, in one line, with invisible characters shown', () => {
  expect(firstWords('  Compare the\n\nweather ')).toBe('Compare the weather')
  expect(firstWords('Compare the weather of Bern and Rome', 24)).toBe('Compare the weather of…')
  expect(firstWords('x'.repeat(500), 20)).toBe(`${'x'.repeat(10)}…`)
  expect(firstWords('a\u202eb')).toBe('a[U+202E]b')
})
