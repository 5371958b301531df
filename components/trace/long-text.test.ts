import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, textChunks } from './long-text'

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

describe('foldText', () => {
  it('keeps twelve lines and folds the rest', () => {
    expect(foldText(lines(12))).toEqual({ head: lines(12), folded: false })
    expect(foldText(`${lines(12)}\n`)).toEqual({ head: `${lines(12)}\n`, folded: false })
    expect(foldText(lines(13))).toEqual({ head: lines(12), folded: true })
  })

  it('folds one endless line, never through a character', () => {
    const { head, folded } = foldText(`a${'😀'.repeat(5_000)}`)
    expect(folded).toBe(true)
    expect(head.length).toBeLessThanOrEqual(2_400)
    expect(head.endsWith('😀')).toBe(true)
  })
})

describe('textChunks', () => {
  it('cuts 10,000 lines into pieces of 200', () => {
    const chunks = textChunks(lines(10_000))
    expect(chunks).toHaveLength(50)
    expect(chunks.map((chunk) => chunk.text).join('\n')).toBe(lines(10_000))
  })

  it('cuts a line of 5 MB', () => {
    const chunks = textChunks('x'.repeat(5_000_000))
    expect(chunks).toHaveLength(250)
    expect(chunks.map((chunk) => chunk.text).join('')).toHaveLength(5_000_000)
  })

  it('loses nothing but the new lines between pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 700 }), (parts) => {
        const text = parts.join('\n')
        const shown = textChunks(text)
          .map((chunk) => chunk.text)
          .join('')
        expect(shown.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
      }),
    )
  })
})
