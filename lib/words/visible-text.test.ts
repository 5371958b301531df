import { describe, expect, it } from 'vitest'
import { escapeInvisible, visibleParts, visibleText } from './clean-text'

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
