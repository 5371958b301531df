import { expect, test } from 'vitest'
import type { ModelChoice } from '@/lib/domains/configurations/schemas'
import { unpriced } from '@/lib/protocol/cost/cost'
import { ConfigurationOptions, defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { draftOf, emptyDraft, figureErrors, toInput } from './configuration-draft'
import { mergeDrafts } from './conflict-of'
import { loweredWords, refusalWords, refusedByAll } from './refusal-words'

test('a form that is opened and saved says what was stored', () => {
  const stop = ['END', 'a\nb', 'back\\slash', '\\n']
  const form = {
    identifier: 'mini',
    name: 'Mini',
    description: '',
    enabled: true,
    model: { id: 'm1', name: 'One', connection: 'Near' },
    fallbacks: [{ id: 'm2', name: 'Two', connection: 'Near' }],
    systemPrompt: 'Be brief.',
    ...defaultModelParameters,
    temperature: 0,
    topP: 0.95,
    stop,
    seed: -3,
    reasoningEffort: 'low' as const,
    options: ConfigurationOptions.parse({ outputSchema: '{"properties":{"z":{},"a":{},"m":{}}}' }),
    toolMode: 'auto' as const,
    maxRounds: 5,
    timeLimitMs: 1_500,
    costCapMicroUsd: 123_457,
    costCapMode: 'enforce' as const,
    allowedToolGroups: ['system'],
    allowedTools: ['list_users', 'no_longer_here'],
    allowedOverrides: ['model' as const, 'temperature' as const],
    raisedDataClass: null,
    fourEyes: false,
    afterUntrusted: 'ask' as const,
    memoryInPrompt: false,
    groups: [{ id: 'g', name: 'Readers' }],
    skills: [],
  }
  const {
    model,
    fallbacks,
    groups,
    skills,
    enabled,
    raisedDataClass,
    fourEyes,
    afterUntrusted,
    memoryInPrompt,
    ...facts
  } = form
  expect(toInput(draftOf(form))).toEqual({
    ...facts,
    modelId: 'm1',
    fallbackModelIds: ['m2'],
    groupIds: ['g'],
  })
  expect(figureErrors(draftOf(form))).toEqual({})
  // The order of properties is a part of what was stored.
  expect(JSON.stringify(toInput(draftOf(form)).options.outputSchema)).toBe(
    '{"properties":{"z":{},"a":{},"m":{}}}',
  )
})

test('empty figures are the model’s own, and words are no figures', () => {
  expect(toInput(emptyDraft)).toMatchObject({
    temperature: null,
    costCapMicroUsd: null,
    reasoningEffort: null,
    stop: [],
  })
  const odd = {
    ...emptyDraft,
    temperature: 'warm',
    timeLimitMs: '1e9',
    costCapMicroUsd: '0,5',
    topP: ' 0.5 ',
  }
  expect(Object.keys(figureErrors(odd))).toEqual(['temperature', 'timeLimitMs', 'costCapMicroUsd'])
  const usual = {
    ...emptyDraft,
    maxOutputTokens: '12,000',
    timeLimitMs: '2,5',
    costCapMicroUsd: '$0.10',
  }
  expect(figureErrors(usual)).toEqual({})
  expect(toInput(usual)).toMatchObject({
    maxOutputTokens: 12_000,
    timeLimitMs: 2_500,
    costCapMicroUsd: 100_000,
  })
})

test('changes of two people are joined field by field, and nothing typed is lost', () => {
  const mine = { ...emptyDraft, name: 'Mine', systemPrompt: 'Mine.', seed: '7' }
  const now = { ...emptyDraft, name: 'Theirs', temperature: '1', seed: '7' }
  expect(mergeDrafts(emptyDraft, mine, now)).toEqual({
    draft: { ...mine, temperature: '1' },
    theirs: ['temperature'],
    clashes: ['name'],
  })
})

const model = (name: string, ...unsupportedParameters: ModelChoice['unsupportedParameters']) => ({
  id: name,
  modelId: name,
  name,
  connectionName: 'Near',
  wire: 'openai' as const,
  trustZone: 'local' as const,
  enabled: true,
  toolCalling: 'confirmed' as const,
  contextTokens: null,
  maxOutputTokens: null,
  reasoning: null,
  reasoningEfforts: [],
  unsupportedParameters,
  prices: unpriced,
})

test('says which models refuse a parameter', () => {
  const chain = [model('A', 'seed', 'topP'), model('B', 'seed')]
  expect(refusalWords(chain, 'temperature')).toBeNull()
  expect(refusalWords(chain, 'topP')).toBe('A does not accept it: not sent.')
  expect(refusalWords(chain, 'seed')).toBe('A and B do not accept it: not sent.')
  const claude = { ...model('C'), wire: 'anthropic' as const }
  expect(refusalWords([claude], 'verbosity')).toBe('C does not accept it: not sent.')
  expect(refusedByAll([claude, model('A')], 'verbosity')).toBe(false)
})

test('says which models are asked for another effort', () => {
  const some = {
    ...model('A'),
    reasoningEfforts: ['low', 'high'] as ModelChoice['reasoningEfforts'],
  }
  expect(loweredWords([some, model('B')], 'high')).toBeUndefined()
  expect(loweredWords([some, model('B')], 'xhigh')).toBe('A is sent high effort.')
  expect(loweredWords([some], 'minimal')).toBe('A is sent low effort.')
})
