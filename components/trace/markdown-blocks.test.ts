import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fencedCode, isCheapMarkdown, markdownBlocks } from './markdown-blocks'

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

describe('isCheapMarkdown', () => {
  it('lets ordinary answers pass', () => {
    expect(isCheapMarkdown('# a\n\n- **b** [c](https://d.e) `f`\n'.repeat(100))).toBe(true)
    expect(isCheapMarkdown('> > > quoted\n> - a\n>   - b')).toBe(true)
  })

  it('refuses what would take a parser very long', () => {
    for (const hostile of [
      '> '.repeat(5_000),
      '- '.repeat(40),
      '**a*'.repeat(2_000),
      'a]'.repeat(2_000),
      'x'.repeat(20_000),
    ]) {
      expect(isCheapMarkdown(`${hostile}x`)).toBe(false)
    }
  })
})

describe('fencedCode', () => {
  it('gives the code of a fence, also of one that still grows', () => {
    expect(fencedCode('```js\na\n\nb\n```\n')).toBe('a\n\nb')
    expect(fencedCode('~~~~\na\n~~~\nb\n~~~~')).toBe('a\n~~~\nb')
    expect(fencedCode('```js\na\n')).toBe('a\n')
    expect(fencedCode('```')).toBe('')
    expect(fencedCode('```\n```')).toBe('')
  })

  it('leaves everything else alone', () => {
    for (const other of [
      'text',
      '```a``` inline',
      '```\na\n```\ntext after',
      '    ```\nindented',
    ]) {
      expect(fencedCode(other)).toBeNull()
    }
  })
})
