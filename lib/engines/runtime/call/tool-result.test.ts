import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '@/lib/protocol/tool'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { cutText, maxResultBytes, truncate } from './tool-result'

const bytes = (text: string) => Buffer.byteLength(text)
const cut = (value: JsonValue, maxBytes?: number) =>
  truncate(value, typeof value === 'string' ? value : JSON.stringify(value), maxBytes)

test('a result within the limit stays unchanged', () => {
  const text = 'x'.repeat(maxResultBytes)
  expect(cut(text)).toEqual({ content: text, truncated: false, originalBytes: maxResultBytes })
})

test('text keeps a prefix and says how much there was', () => {
  const result = cut('x'.repeat(maxResultBytes + 1))
  expect(result.truncated).toBe(true)
  expect(result.content).toMatch(/^x{60000,}\n\[truncated: 65537 bytes in all\]$/)
})

test('an array keeps its leading items', () => {
  const items = Array.from({ length: 5000 }, (_, index) => ({ index, name: 'ä"\\'.repeat(5) }))
  const kept = JSON.parse(cut(items).content)
  expect(kept.at(-1)).toEqual({ _truncated: true, originalCount: 5000 })
  expect(kept.slice(0, -1)).toEqual(items.slice(0, kept.length - 1))
  expect(kept.length).toBeGreaterThan(1000)
})

test('an array whose first item is too big keeps none', () => {
  expect(JSON.parse(cut(['x'.repeat(70_000)]).content)).toEqual([
    { _truncated: true, originalCount: 1 },
  ])
})

test('an object becomes a prefix of its own JSON', () => {
  const value = { text: '"\\€😀'.repeat(20_000) }
  const result = JSON.parse(cut(value).content)
  expect(Object.keys(result)).toEqual(['_truncatedJson', 'originalBytes'])
  expect(JSON.stringify(value).startsWith(result._truncatedJson)).toBe(true)
  expect(result.originalBytes).toBe(bytes(JSON.stringify(value)))
  expect(bytes(cut(value).content)).toBeGreaterThan(maxResultBytes - 200)
})

test('a cut result is within the limit, valid, and splits no character', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 400 })
  const values = fc.oneof(texts, fc.array(texts), fc.dictionary(texts, texts))
  fc.assert(
    fc.property(values, fc.integer({ min: 100, max: 600 }), (value, maxBytes) => {
      const { content, truncated } = cut(value, maxBytes)
      expect(bytes(content)).toBeLessThanOrEqual(maxBytes)
      expect(content.isWellFormed()).toBe(true)
      if (typeof value !== 'string') JSON.parse(content)
      if (!truncated && typeof value === 'string') expect(content).toBe(value)
    }),
  )
})

test('cutText keeps whole characters', () => {
  expect(cutText('a€😀', 8)).toBe('a€😀')
  expect(cutText('a€😀', 7)).toBe('a€')
  expect(cutText('a€😀', 3)).toBe('a')
  expect(cutText('😀', 0)).toBe('')
})

test('cutting takes time that grows with the size alone', () => {
  const rows = (length: number) => Array.from({ length }, (_, id) => ({ id, note: 'x'.repeat(35) }))
  for (const make of [
    (length: number) => 'ü'.repeat(60 * length),
    rows,
    (length: number) => ({ rows: rows(length) }),
  ]) {
    const withText = (length: number): Parameters<typeof truncate> => {
      const value = make(length)
      return [value, typeof value === 'string' ? value : JSON.stringify(value)]
    }
    const growth = timeGrowth(20_000, withText, (input) => truncate(...input))
    expect(growth).toBeLessThan(mostGrowth)
  }
})
