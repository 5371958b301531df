import { describe, expect, test } from 'vitest'
import { unpriced } from '../../protocol/cost'
import type { ModelDetails } from '../schemas'
import { catalogueSays, factsToTake } from './catalogue-says'
import { catalogue, findInCatalogue } from './find-in-catalogue'

const entries = catalogue.flatMap(({ models }) => models)

describe('the catalogue', () => {
  test('has facts with sources, days and whole prices', () => {
    expect(entries.length).toBeGreaterThan(30)
    for (const { id, name, prices, sources, readOn, ...facts } of entries) {
      expect(name.length, id).toBeLessThanOrEqual(100)
      expect(readOn, id).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
      expect(Date.parse(readOn), id).toBeLessThanOrEqual(Date.now())
      expect(sources.length, id).toBeGreaterThan(0)
      for (const source of sources) expect(new URL(source).protocol, id).toBe('https:')
      for (const price of Object.values(prices ?? {})) {
        expect(price === null || (Number.isSafeInteger(price) && price >= 0), id).toBe(true)
      }
      for (const tokens of [facts.contextTokens, facts.maxOutputTokens]) {
        expect(tokens === null || (Number.isSafeInteger(tokens) && tokens > 0), id).toBe(true)
      }
      if (prices) expect(prices.input !== null && prices.output !== null, id).toBe(true)
    }
  })

  test('names each model of a provider once', () => {
    for (const { models } of catalogue) {
      const names = models.flatMap(({ id, aliases }) => [id, ...aliases])
      expect(new Set(names).size).toBe(names.length)
    }
    expect(new Set(catalogue.map(({ host }) => host)).size).toBe(catalogue.length)
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

  test('is what is missing or different, but never against a test', () => {
    const word = catalogueSays(stored)
    expect(word?.facts).toEqual(['maxOutputTokens', 'vision', 'unsupportedParameters'])
    expect(word?.prices).toBe('missing')
    expect(word && factsToTake(word)).toEqual({
      maxOutputTokens: 128_000,
      vision: true,
      unsupportedParameters: ['temperature'],
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
