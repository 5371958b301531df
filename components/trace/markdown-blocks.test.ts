import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from './markdown-blocks'

describe('markdownBlocks', () => {
  it('cuts between paragraphs, headings, tables and fences', () => {
    expect(markdownBlocks('one\ntwo\n\n# three\n\n|a|\n|-|\n\n```js\nx\n\ny\n```\n\nend')).toEqual([
      'one\ntwo\n\n',
      '# three\n\n',
      '|a|\n|-|\n\n',
      '```js\nx\n\ny\n```\n\n',
      'end',
    ])
  })

  it('keeps a list, what belongs to it, and an open fence together', () => {
    for (const text of [
      '1. a\n\n2. b\n\n   more\n\n- c',
      'text\n~~~\na\n\n```\nb\n\nc',
      'x [y]\n\nz\n\n[y]: /u',
    ]) {
      expect(markdownBlocks(text)).toEqual([text])
    }
  })

  it('closes a fence only with the same or a longer one', () => {
    expect(markdownBlocks('````\n```\n\na\n````\n\nb')).toEqual(['````\n```\n\na\n````\n\n', 'b'])
  })

  it('never loses a character that is not blank', () => {
    const line = fc.constantFrom('', ' ', 'a', '```', '~~~~', '- x', '    y', '> q', '# h')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n')
        expect(markdownBlocks(text).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })
})
