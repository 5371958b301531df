import { expect, test } from 'vitest'
import { defaultModelParameters, defaultOptions } from '@/lib/protocol/parameters/parameters'
import { modelTarget, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { sentOptions, sentParameters, unsentNotes } from './sent-parameters'

const all = {
  ...defaultModelParameters,
  temperature: 0.3,
  topP: 0.9,
  maxOutputTokens: 8_000,
  stop: ['END'],
  seed: 7,
  reasoningEffort: 'high' as const,
}

test('a model is sent what it takes, and asked for no more than it can write', () => {
  expect(sentParameters(modelTarget({ wire: 'openai-compatible' }), all)).toEqual(all)
  expect(sentParameters(modelTarget(), all)).toEqual({ ...all, stop: [], seed: null })
  const target = modelTarget({
    unsupportedParameters: ['temperature', 'topP', 'stop', 'seed', 'reasoningEffort'],
    maxOutputTokens: 4_096,
  })
  expect(sentParameters(target, all)).toEqual({
    ...runInput().snapshot.parameters,
    maxOutputTokens: 4_096,
  })
  const plain = runSnapshot().parameters
  expect(sentParameters(target, plain)).toEqual(plain)
})

test('a model that does not reason is sent no effort; one that may is', () => {
  expect(sentParameters(modelTarget({ reasoning: false }), all).reasoningEffort).toBeNull()
  for (const reasoning of [true, null]) {
    expect(sentParameters(modelTarget({ reasoning }), all).reasoningEffort).toBe('high')
  }
})

test('an option without a place in the API type is sent as usual, and a note says so', () => {
  const options = { ...defaultOptions, verbosity: 'low' as const, promptCaching: false }
  const wanted = { parameters: defaultModelParameters, options }
  const asking = { wanted, parameters: wanted.parameters, offered: [], isFirstRound: true }
  const target = modelTarget({ wire: 'anthropic' })
  expect(sentOptions(target, asking).options).toMatchObject({
    verbosity: null,
    promptCaching: false,
  })
  expect(sentOptions(modelTarget(), asking).options.verbosity).toBe('low')
  const round = { ...wanted, tools: 'none' as const, isFirstRound: true }
  expect(unsentNotes(target, round)).toEqual(['Verbosity is not sent: Anthropic does not take it.'])
})

test('a parameter that an old journal does not have counts as not set', () => {
  const { stop: _, ...parameters } = defaultModelParameters
  // Journals hold what their version knew.
  const old = parameters as typeof defaultModelParameters
  const round = { options: undefined, tools: 'none' as const, isFirstRound: true }
  expect(unsentNotes(modelTarget(), { ...round, parameters: old })).toEqual([])
})

test('a Claude model on Bedrock is sent top P without a temperature, and a note says so', () => {
  const parameters = { ...defaultModelParameters, temperature: 0.3, topP: 0.9 }
  const modelId = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
  const claude = modelTarget({ wire: 'bedrock', modelId })
  expect(sentParameters(claude, parameters)).toMatchObject({ temperature: null, topP: 0.9 })
  const alone = { ...parameters, topP: null }
  expect(sentParameters(claude, alone)).toMatchObject({ temperature: 0.3, topP: null })
  const round = { options: undefined, tools: 'none' as const, isFirstRound: true }
  expect(unsentNotes(claude, { ...round, parameters })).toEqual([
    `Temperature is not sent: ${modelId} does not take it beside Top-p.`,
  ])
  const nova = modelTarget({ wire: 'bedrock', modelId: 'amazon.nova-pro-v1:0' })
  expect(sentParameters(nova, parameters)).toMatchObject({ temperature: 0.3, topP: 0.9 })
})
