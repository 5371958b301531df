import { expect, test } from 'vitest'
import { findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import { newModelOf } from './new-model-of'

const offered = {
  modelId: 'gpt-5.4',
  displayName: 'gpt-5.4',
  contextTokens: null,
  maxOutputTokens: 64_000,
  toolCalling: 'unconfirmed',
  structuredOutput: null,
  vision: false,
  reasoning: null,
} as const

test('the provider’s own word counts before the catalogue’s, and each is kept as what it is', () => {
  const catalogue = findInCatalogue({ wire: 'openai', baseUrl: null, modelId: 'gpt-5.4' })
  expect(newModelOf({ ...offered, catalogue })).toMatchObject({
    displayName: 'GPT-5.4',
    contextTokens: 1_050_000,
    maxOutputTokens: 64_000,
    toolCalling: 'confirmed',
    structuredOutput: true,
    vision: false,
    reported: ['vision'],
    unsupportedParameters: ['temperature', 'topP'],
    prices: { input: 2_500_000, output: 15_000_000 },
    priceSource: expect.stringMatching(/^https:.* \(read 2026-11-23\)$/),
  })
})

test('facts that neither provider nor catalogue states stay unknown, and long names are cut', () => {
  const model = newModelOf({ ...offered, displayName: 'x'.repeat(200), catalogue: null })
  expect(model).toMatchObject({ contextTokens: null, toolCalling: 'unconfirmed', reasoning: null })
  expect(model.displayName).toHaveLength(100)
  expect(model).not.toHaveProperty('prices')
})
