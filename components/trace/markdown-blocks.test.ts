import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longAnswers } from '@/tests/support/long-answers'
import { processor } from './inert-markdown'
import { fencedCode, isCheapMarkdown, markdownBlocks } from './markdown-blocks'
import { type Piece, readBlocks } from './markdown-pieces'

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

  it('cuts without a blank line before a heading, a fence and a list', () => {
    expect(markdownBlocks('a\n# b\nc\n```\nd\n```\ne\n- f\n- g')).toEqual([
      'a\n',
      '# b\n',
      'c\n',
      '```\nd\n```\n',
      'e\n',
      '- f\n- g',
    ])
  })

  it('keeps a list, what belongs to it, and an open fence together', () => {
    for (const text of [
      '1. a\n\n2. b\n\n   more\n\n- c',
      '~~~\na\n\n```\nb\n\nc',
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

describe('readBlocks', () => {
  /** Returns how many characters are parsed for one of the answer, and the most at once, while it grows. */
  function parsedFor(text: string) {
    let all = 0
    let most = 0
    let known = new Map<string, Piece>()
    for (let end = 100; end < text.length + 100; end += 100) {
      const used = new Map<string, Piece>()
      readBlocks(text.slice(0, end), (source) => {
        const piece = known.get(source) ?? used.get(source)
        if (!piece) {
          all += source.length
          most = Math.max(most, source.length)
        }
        used.set(source, piece ?? { source, tree: processor.parse(source) })
        return used.get(source) as Piece
      })
      known = used
    }
    return { each: all / text.length, most }
  }

  for (const [shape, make] of Object.entries(longAnswers)) {
    it(`parses as little at the end of a long answer as at its beginning: ${shape}`, () => {
      const short = parsedFor(make(3_000))
      const long = parsedFor(make(20_000))
      expect(long.each).toBeLessThan(Math.max(2, short.each * 1.5))
      expect(long.most).toBeLessThan(2_500)
    })
  }
})
