import { expect, test } from 'vitest'
import { unpriced } from '@/lib/protocol/cost/cost'
import { findInCatalogue } from './find-in-catalogue'
import { oldPriceDays, stalePrice } from './stale-price'

const at = { wire: 'openai' as const, baseUrl: null, modelId: 'gpt-5.4' }
const entry = findInCatalogue(at)
const known = entry?.prices ?? unpriced
const readAt = new Date(`${entry?.readOn}T12:00:00Z`)
const days = (count: number) => new Date(readAt.getTime() + count * 86_400_000)
const stored = { source: '', createdAt: readAt }

test('a price is stale when the catalogue has other figures', () => {
  expect(stalePrice({ ...at, prices: known }, stored, days(1))).toBeNull()
  const prices = { ...known, input: 1 }
  expect(stalePrice({ ...at, prices }, stored, days(1))).toEqual({
    why: 'differs',
    readOn: entry?.readOn,
    fromCatalogue: true,
  })
  const more = { ...known, reasoning: 7 }
  expect(stalePrice({ ...at, prices: more }, stored, days(1))).toBeNull()
})

test('a price is stale when nobody read it for long', () => {
  const own = {
    wire: 'openai-compatible' as const,
    baseUrl: 'https://gateway.example.org',
    modelId: 'm',
  }
  const prices = { ...unpriced, input: 1, output: 2 }
  expect(stalePrice({ ...own, prices }, stored, days(oldPriceDays - 1))).toBeNull()
  expect(stalePrice({ ...own, prices }, stored, days(oldPriceDays + 1))).toEqual({
    why: 'old',
    readOn: entry?.readOn,
    fromCatalogue: false,
  })
  const taken = { source: 'https://example.org/prices (read 2020-01-31)', createdAt: readAt }
  expect(stalePrice({ ...own, prices }, taken, days(1))).toMatchObject({ readOn: '2020-01-31' })
  const odd = { source: 'Our list (read 2020-13-41)', createdAt: readAt }
  expect(stalePrice({ ...own, prices }, odd, days(1))).toBeNull()
  expect(
    stalePrice({ ...own, prices: { ...unpriced, input: 0, output: 0 } }, taken, readAt),
  ).toBeNull()
})

test('the catalogue confirms an older price that is the same', () => {
  const before = { source: 'https://example.org (read 2020-01-31)', createdAt: new Date(0) }
  expect(stalePrice({ ...at, prices: known }, before, days(1))).toBeNull()
  expect(stalePrice({ ...at, prices: known }, before, days(oldPriceDays + 1))).toMatchObject({
    why: 'old',
    readOn: entry?.readOn,
  })
})

test('no price is unpriced, not stale', () => {
  expect(stalePrice({ ...at, prices: unpriced }, undefined, days(1_000))).toBeNull()
})
