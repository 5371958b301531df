import { expect, test } from 'vitest'
import { defaultModelParameters } from '@/lib/protocol/parameters'
import { modelTarget, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { sentParameters } from './sent-parameters'

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
