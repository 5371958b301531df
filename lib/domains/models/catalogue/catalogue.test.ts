import { describe, expect, test } from 'vitest'
import { costMicroUsd, emptyUsage, priceKinds, unpriced } from '@/lib/protocol/cost/cost'
import type { ModelDetails } from '../schemas'
import { readCatalogueFile } from './catalogue-file'
import { catalogueSays, factsToTake } from './catalogue-says'
import { catalogue, catalogueAddress, findInCatalogue, guessPrice } from './find-in-catalogue'
import openai from './openai.json'

const entries = catalogue.flatMap(({ models }) => models)

describe('the catalogue', () => {
  test('was read on days that are over, at sources, with prices in range', () => {
    expect(entries.length).toBeGreaterThan(30)
    for (const { id, readOn, sources, prices, longPrompts } of entries) {
      expect(Date.parse(readOn), id).toBeLessThanOrEqual(Date.now())
      for (const source of sources) expect(new URL(source).protocol, id).toBe('https:')
      for (const kind of priceKinds) {
        const price = prices?.[kind] ?? null
        // No entry costs more than $1,000 a million tokens; a misplaced decimal point would.
        expect(price === null || (price >= 0 && price <= 1_000_000_000), id).toBe(true)
      }
      if (!longPrompts) continue
      expect(prices, id).not.toBeNull()
      const { inputPercent = 0, outputPercent = 0 } = prices?.longPrompt ?? {}
      expect((inputPercent / 100) * (prices?.input ?? 0), id).toBe(longPrompts.prices.input)
      expect((outputPercent / 100) * (prices?.output ?? 0), id).toBe(longPrompts.prices.output)
      for (const kind of priceKinds) {
        const price = prices?.[kind] ?? null
        if (price !== null) expect(longPrompts.prices[kind], `${id} ${kind}`).toBeGreaterThan(price)
        else expect(longPrompts.prices[kind], `${id} ${kind}`).toBeNull()
      }
    }
  })

  test('knows what a cache write costs where providers charge for it', () => {
    const charged = entries.filter(
      ({ id, prices }) => prices && /claude|^(?:\w+\.openai\.)?gpt-(?:5\.6|6)/.test(id),
    )
    expect(charged.length).toBeGreaterThan(40)
    const usage = { ...emptyUsage, inputTokens: 10, cacheWriteTokens: 10 }
    for (const { id, prices } of charged) {
      const cost = prices && costMicroUsd(usage, prices)
      expect(cost, id).toBeGreaterThan(0)
    }
  })

  test('has models that refuse temperature refuse top-p, as they all do', () => {
    for (const { id, unsupportedParameters: refused } of entries) {
      expect(refused.includes('topP'), id).toBe(refused.includes('temperature'))
    }
  })

  test('has one file for each provider, found by its own host', () => {
    expect(new Set(catalogue.map(({ host }) => host)).size).toBe(catalogue.length)
  })

  const [model] = openai.models
  test.each([
    ['an unknown field', { ...model, speed: 1 }],
    ['a source without https', { ...model, sources: ['http://example.org'] }],
    ['no source', { ...model, sources: [] }],
    ['a day that is none', { ...model, readOn: '2026-02-30' }],
    ['a price that is none', { ...model, usd: { input: '1e3', output: '1' } }],
    ['a price out of range', { ...model, usd: { input: '2147.49', output: '1' } }],
    ['no price of output', { ...model, usd: { input: '1' } }],
    ['a price of another kind', { ...model, usd: { input: '1', output: '1', audio: '1' } }],
    ['an unknown effort', { ...model, reasoningEfforts: ['most'] }],
    ['a tier from nowhere', { ...model, longPrompts: { aboveTokens: 0, usd: model?.usd } }],
    ['an alias that is an id', { ...model, aliases: [model?.id] }],
  ])('refuses %s', (_, wrong) => {
    const read = (models: unknown[]) => readCatalogueFile({ ...openai, models })
    expect(read([model]).models).toHaveLength(1)
    expect(() => read([wrong])).toThrow()
  })
})

describe('looking a model of Amazon Bedrock up', () => {
  const find = (baseUrl: string | null, modelId: string) =>
    findInCatalogue({ wire: 'bedrock', baseUrl, modelId })?.prices?.input
  test('knows the price of a profile, at the address of any region, and of no other profile', () => {
    const amazon = 'https://bedrock-runtime.eu-west-1.amazonaws.com'
    expect(find(null, 'global.anthropic.claude-sonnet-4-6')).toBe(3_000_000)
    expect(find(amazon, 'anthropic.claude-sonnet-4-6')).toBe(3_300_000)
    expect(find(amazon, 'eu.anthropic.claude-opus-4-8')).toBe(5_500_000)
    expect(find(amazon, 'jp.anthropic.claude-sonnet-4-6')).toBeUndefined()
    expect(find('https://gateway.example.org', 'anthropic.claude-sonnet-4-6')).toBeUndefined()
  })
})

describe('looking a model of Vertex AI up', () => {
  const find = (settings: Record<string, string>, baseUrl: string | null = null) => {
    const wire = 'gemini'
    const address = catalogueAddress({ wire, baseUrl, settings })
    const modelId = 'publishers/google/models/gemini-3.8-flash'
    return findInCatalogue({ wire, baseUrl: address, modelId })
  }
  const at = (location: string) => ({ authentication: 'service-account', project: 'p', location })

  test('knows what it can, in any location, and not what it costs there', () => {
    const known = find({})
    expect(known).toMatchObject({ prices: { input: 750_000 }, note: expect.any(String) })
    const there = { ...known, prices: null, longPrompts: null, note: null }
    for (const location of ['global', 'eu', 'europe-west4'])
      expect(find(at(location))).toEqual(there)
    expect(find(at('eu'), 'https://gateway.example.org/v1')).toBeNull()
  })
})

describe('looking a model up', () => {
  const find = (wire: 'openai' | 'openai-compatible', baseUrl: string | null, modelId: string) =>
    findInCatalogue({ wire, baseUrl, modelId })?.id

  test('knows dated ids and other names, at the provider’s own address', () => {
    expect(find('openai', null, 'gpt-5.4-mini')).toBe('gpt-5.4-mini')
    expect(find('openai', null, 'gpt-5.4-mini-2026-03-17')).toBe('gpt-5.4-mini')
    expect(find('openai-compatible', 'https://api.x.ai/v1', 'grok-4.20')).toContain('grok-4.20')
    const gemini = 'https://generativelanguage.googleapis.com/v1beta/openai'
    expect(find('openai-compatible', gemini, 'models/gemini-2.5-pro')).toBe('gemini-2.5-pro')
  })

  test('knows nothing behind a gateway, of other models and at odd addresses', () => {
    expect(find('openai-compatible', 'https://gateway.example.org/v1', 'gpt-5.4-mini')).toBe(
      undefined,
    )
    expect(find('openai', null, 'gpt-5.4-mini-2')).toBeUndefined()
    expect(find('openai', null, 'constructor')).toBeUndefined()
    expect(find('openai', 'nonsense', 'gpt-5.4-mini')).toBeUndefined()
    expect(find('openai-compatible', null, 'gpt-5.4-mini')).toBeUndefined()
  })
})

describe('what it says beside what is stored', () => {
  const known = findInCatalogue({ wire: 'openai', baseUrl: null, modelId: 'gpt-5.4' })
  const stored: ModelDetails = {
    id: 'm',
    connectionId: 'c',
    connectionName: 'OpenAI',
    connectionEnabled: true,
    wire: 'openai',
    baseUrl: null,
    modelId: 'gpt-5.4',
    displayName: 'GPT-5.4',
    contextTokens: 1_050_000,
    maxOutputTokens: null,
    toolCalling: 'unsupported',
    toolCallingSource: 'tested',
    toolCallingTestedAt: '2026-11-01T00:00:00.000Z',
    structuredOutput: true,
    vision: null,
    reasoning: true,
    capabilitySources: {},
    reasoningEfforts: [],
    unsupportedParameters: [],
    enabled: true,
    prices: unpriced,
    stalePrice: null,
    usedBy: [],
    history: [],
    currentPriceId: null,
    firstRunAt: null,
    createdAt: '2026-11-01T00:00:00.000Z',
  }
  const priced = (createdAt: string, prices = unpriced): ModelDetails => ({
    ...stored,
    currentPriceId: 'p',
    history: [{ id: 'p', validFrom: createdAt, createdAt, prices, source: '', createdBy: 'x' }],
  })

  test('has missing and different facts, but none that a test contradicts', () => {
    const word = catalogueSays(stored)
    expect(word?.facts).toEqual([
      'maxOutputTokens',
      'vision',
      'reasoningEfforts',
      'unsupportedParameters',
    ])
    expect(word?.prices).toBe('missing')
    expect(word && factsToTake(word)).toEqual({
      maxOutputTokens: 128_000,
      vision: true,
      reasoningEfforts: ['none', 'low', 'medium', 'high', 'xhigh'],
      unsupportedParameters: ['temperature', 'topP'],
    })
  })

  test('tells prices that were stored before it was read from those an admin knows better', () => {
    expect(catalogueSays(priced('2026-01-01T00:00:00.000Z'))?.prices).toBe('newer')
    expect(catalogueSays(priced('2036-01-01T00:00:00.000Z'))?.prices).toBe('other')
    const same = known?.prices ?? unpriced
    expect(catalogueSays(priced('2026-01-01T00:00:00.000Z', same))?.prices).toBe('same')
    expect(catalogueSays({ ...stored, modelId: 'mine' })).toBeNull()
  })
})

test('a known id has the price of its own provider as a guess, wherever it is asked', () => {
  const known = findInCatalogue({ wire: 'openai', baseUrl: null, modelId: 'gpt-5.4' })
  const guess = { prices: known?.prices, from: 'OpenAI' }
  for (const id of ['gpt-5.4', 'openai/gpt-5.4', 'GPT-5.4-2026-03-05'])
    expect(guessPrice(id)).toEqual(guess)
  expect(guessPrice('my-own-model')).toBeNull()
})
