import { expect, test } from 'vitest'
import { findInCatalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import { unknownModel } from '@/lib/engines/providers/discovery/discovered-model'
import type { ModelOffer } from './new-model-of'
import { sensibleModel } from './sensible-model'

function offers(ids: string[], wire: 'openai' | 'ollama' = 'openai'): ModelOffer[] {
  return ids.flatMap((modelId) => {
    const found = unknownModel(modelId, modelId)
    const catalogue = findInCatalogue({ wire, baseUrl: null, modelId })
    return found ? [{ ...found, catalogue, here: null }] : []
  })
}

test('the middle one by price is taken among the newest models that call tools and have a price', () => {
  const ids = ['gpt-4o', 'gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.2-astra', 'gpt-6.2-sol', 'my-tune']
  expect(sensibleModel(offers(ids))).toBe('gpt-6.2-sol')
})

test('the first model that is said to call tools is taken where the catalogue knows none, else the first one', () => {
  const [one, two] = offers(['first', 'second'], 'ollama')
  if (!one || !two) throw new Error('No offers.')
  expect(sensibleModel([one, { ...two, toolCalling: 'confirmed' }])).toBe('second')
  expect(sensibleModel([one, two])).toBe('first')
  expect(sensibleModel([])).toBeNull()
})
