import { describe, expect, it } from 'vitest'
import { fencedCode, isCheapMarkdown } from './markdown-cost'

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
