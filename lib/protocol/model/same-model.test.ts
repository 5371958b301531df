import { expect, test } from 'vitest'
import { sharedModel } from './same-model'

const model = (modelId: string, modelRecordId: string = modelId) => ({ modelId, modelRecordId })

const same: [string, string][] = [
  ['gpt-5', 'openai/gpt-5'],
  ['claude-sonnet-4-5-20250929', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
  ['llama3.1', 'Llama3.1:latest'],
]
test.each(same)('%s and %s are the same model', (one, other) => {
  expect(sharedModel([model(one)], [model('x'), model(other)])).toEqual(model(one))
})

const different: [string, string][] = [
  ['gpt-4.1', 'gpt-4.1-mini'],
  ['qwen2.5:7b', 'qwen2.5:72b'],
  ['gemini-2.5-pro', 'gemini-3.5-pro'],
]
test.each(different)('%s and %s are different models', (one, other) => {
  expect(sharedModel([model(one)], [model(other)])).toBeNull()
})

test('one record is one model, whatever its id was changed to', () => {
  expect(sharedModel([model('a', 'r1')], [model('b', 'r1')])).toEqual(model('a', 'r1'))
})
