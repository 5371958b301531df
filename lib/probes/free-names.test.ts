import { expect, test } from 'vitest'
import { identifierPattern } from '@/lib/shape/identifier'
import { identifierOf } from './free-names'

test.each([
  ['gpt-6.2-sol', 'gpt-6.2-sol'],
  ['openai/GPT_6 Mini', 'gpt-6-mini'],
  ['qwen3:8b', 'qwen3-8b'],
  ['llama3:latest', 'llama3'],
  ['anthropic.claude-sonnet-5-5-v1:0', 'anthropic.claude-sonnet-5-5-v1-0'],
  ['..-x..y--z.', 'x-y-z'],
  ['模型', 'model'],
  ['a'.repeat(200), 'a'.repeat(50)],
])('the model %s gives the identifier %s', (modelId, identifier) => {
  expect(identifierOf(modelId)).toBe(identifier)
  expect(identifier).toMatch(identifierPattern)
})
