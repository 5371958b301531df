import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { plainCharacter } from '@/lib/words/clean-text'
import {
  cleanArguments,
  cleanName,
  cleanText,
  escapeInvisible,
  firstWords,
  visibleParts,
  visibleText,
} from './clean-text'

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

describe('visibleParts', () => {
  it('leaves ordinary text, new lines, tabs and other scripts alone', () => {
    for (const text of ['plain', 'a\nb\tc\r\nd', 'end\r', 'Grüße, 世界, שלום, नमस्ते', 'e\u0301']) {
      expect(visibleParts(text)).toEqual([{ type: 'text', text }])
    }
    expect(visibleParts('')).toEqual([])
  })

  it('leaves emoji whole, with their joiners and selectors', () => {
    for (const text of ['👩‍👩‍👧', '❤️', '👩🏽‍🚀 ok', '1️⃣']) expect(visibleText(text)).toBe(text)
  })

  it('shows bidi controls instead of obeying them', () => {
    expect(visibleParts('safe\u202egpj.exe')).toEqual([
      { type: 'text', text: 'safe' },
      { type: 'mark', label: 'U+202E', name: 'right-to-left override' },
      { type: 'text', text: 'gpj.exe' },
    ])
    expect(visibleText('\u2066x\u2069')).toBe('[U+2066]x[U+2069]')
  })

  it('shows escape sequences and other controls as pictures', () => {
    expect(visibleText('\u001b[31mred\u001b[0m')).toBe('[␛][31mred[␛][0m')
    expect(visibleText('a\u0000b\u007fc\u0085d')).toBe('a[␀]b[␡]c[U+0085]d')
    expect(visibleText('line\rover')).toBe('line[␍]over')
  })

  it('shows zero-width characters, hidden tags, fillers and lone surrogates', () => {
    expect(visibleText('ad\u200bmin')).toBe('ad[U+200B]min')
    expect(visibleText('a\u200db')).toBe('a[U+200D]b')
    expect(visibleText('hi\u{e0049}\u{e0047}')).toBe('hi[U+E0049][U+E0047]')
    expect(visibleText('\u3164\ufeff')).toBe('[U+3164][U+FEFF]')
    expect(visibleText('x\ufe01y\u{e0101}')).toBe('x[U+FE01]y[U+E0101]')
    expect(visibleText('\ud83d half \udc00')).toBe('[U+D83D] half [U+DC00]')
  })

  it('stays fast on a large text', () => {
    const parts = visibleParts('word \u200b'.repeat(50_000))
    expect(parts).toHaveLength(100_000)
  })
})

describe('escapeInvisible', () => {
  it('makes JSON that reads the same and hides nothing', () => {
    const value = { name: 'a\u202eb\u007f\u{e0041}', ok: '👩🏽‍🚀 Grüße' }
    const json = JSON.stringify(value, null, 2)
    expect(escapeInvisible(json)).toContain('a\\u202eb\\u007f\\udb40\\udc41')
    expect(escapeInvisible(json)).toContain('👩🏽‍🚀 Grüße')
    expect(JSON.parse(escapeInvisible(json))).toEqual(value)
  })
})

test.each([
  ['ａ', 'a'],
  ['𝐚', 'a'],
  ['á', 'a'],
  ['а', 'a'],
  ['С', 'c'],
  ['ѕ', 's'],
  ['ь', 'b'],
  ['ρ', 'p'],
  ['τ', 't'],
  ['օ', 'o'],
  ['ո', 'n'],
  ['ı', 'i'],
  ['ᴀ', 'a'],
  ['ᴜ', 'u'],
  ['ﬀ', 'ff'],
  ['𝟖', '8'],
  ['⑧', '8'],
  ['\u0301', ''],
  ['\u200b', ''],
  ['\u{e0061}', ''],
  ['—', ''],
  ['漢', '漢'],
  ['ж', 'ж'],
])('%j is read as %j', (character, plain) => {
  expect(plainCharacter(character)).toBe(plain)
})
