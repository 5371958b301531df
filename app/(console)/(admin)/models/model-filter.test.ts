import { describe, expect, test } from 'vitest'
import type { ModelListing } from '@/lib/domains/models/schemas'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { unpriced } from '@/lib/protocol/cost/cost'
import { filterModels, ModelQuery, sortModels } from './model-filter'

const model = (id: string, part: Partial<ModelListing> = {}): ModelListing => ({
  id,
  connectionId: 'c',
  connectionName: 'Gateway',
  connectionEnabled: true,
  wire: 'openai',
  baseUrl: null,
  modelId: id,
  displayName: id,
  contextTokens: null,
  maxOutputTokens: null,
  toolCalling: 'unconfirmed',
  toolCallingSource: null,
  toolCallingTestedAt: null,
  structuredOutput: null,
  vision: null,
  reasoning: null,
  capabilitySources: {},
  reasoningEfforts: [],
  unsupportedParameters: [],
  enabled: true,
  prices: unpriced,
  stalePrice: null,
  usedBy: [],
  ...part,
})
const ids = (models: ModelListing[]) => models.map(({ id }) => id)

describe('models', () => {
  const all = [
    model('b', { contextTokens: 8, prices: { ...unpriced, input: 1, output: 2 } }),
    model('a', { usedBy: [{ id: 'x', name: 'Support desk', position: null }] }),
    model('c', { contextTokens: 9, enabled: false, prices: { ...unpriced, input: 0 } }),
  ]

  test('are found by words of name, connection and users, and by price and state', () => {
    expect(ids(filterModels(all, { search: 'gate DESK' }))).toEqual(['a'])
    expect(ids(filterModels(all, { price: 'unpriced' }))).toEqual(['a', 'c'])
    expect(ids(filterModels(all, { price: 'priced' }))).toEqual(['b'])
    expect(ids(filterModels(all, { state: 'off' }))).toEqual(['c'])
    expect(ids(filterModels(all, { tools: 'confirmed' }))).toEqual([])
  })

  test('are sorted both ways, with what is unknown last', () => {
    expect(ids(sortModels(all, 'name'))).toEqual(['a', 'b', 'c'])
    expect(ids(sortModels(all, 'context'))).toEqual(['b', 'c', 'a'])
    expect(ids(sortModels(all, '-context'))).toEqual(['c', 'b', 'a'])
    expect(ids(sortModels(all, '-used'))).toEqual(['a', 'b', 'c'])
  })

  test('are asked for in words that make sense only', () => {
    const filter = lenientQuery(ModelQuery, {
      price: 'cheap',
      page: '0',
      sort: '-colour',
      search: 'x',
    })
    expect(filter).toEqual({ search: 'x', page: 1, sort: 'name' })
  })
})
