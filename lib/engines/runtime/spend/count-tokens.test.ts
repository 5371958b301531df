import { expect, test } from 'vitest'
import { catalogue } from '@/lib/domains/models/catalogue/find-in-catalogue'
import type { Attachment } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { likelyFileTokens, longestWindow, mostFileTokens } from './count-tokens'

type Named = Pick<ModelTarget, 'wire' | 'modelId'>

const file = (facts: Partial<Attachment>): Attachment => ({
  id: 'f',
  name: 'a',
  type: 'application/pdf',
  bytes: 1_000,
  sha256: '',
  dataClass: 'content',
  fence: { nonce: '', canary: '' },
  ...facts,
})
const image = file({ type: 'image/png' })
const pdf = file({ pages: 12, mostTokens: 20_000 })
const sonnet: Named = { wire: 'anthropic', modelId: 'claude-sonnet-5' }

test.each([
  [sonnet, 4_784],
  [{ wire: 'bedrock', modelId: 'eu.anthropic.claude-opus-5-v1:0' }, 4_784],
  [{ wire: 'gemini', modelId: 'gemini-3-pro-preview' }, 2_240],
  [{ wire: 'openai', modelId: 'gpt-6-astra' }, 36_000],
  [{ wire: 'openai', modelId: 'gpt-4o-mini-2024-07-18' }, 48_169],
  [{ wire: 'anthropic', modelId: 'glm-5' }, 48_169],
  [{ wire: 'gemini', modelId: 'gemini-2.5-flash' }, 48_169],
  [{ wire: 'bedrock', modelId: 'arn:aws:bedrock:eu:1:application-inference-profile/x' }, 48_169],
  [{ wire: 'azure-openai', modelId: 'claude-sonnet-5' }, 48_169],
  [{ wire: 'openai-compatible', modelId: 'gpt-6-astra' }, 48_169],
  [{ wire: 'ollama', modelId: 'qwen3-vl' }, 48_169],
] satisfies [Named, number][])('an image for %j holds %i tokens', (target, most) => {
  expect(mostFileTokens([image, image], target)).toBe(2 * most)
})

test('a PDF holds its pages, each with its image and text', () => {
  const most = mostFileTokens([pdf], sonnet)
  expect(most).toBeGreaterThanOrEqual(12 * (4_784 + 3_000))
  expect(most).toBeLessThan(100_000)
})

test('a PDF whose pages are full of text holds that text', () => {
  const dense = file({ pages: 1, mostTokens: 500_000 })
  expect(mostFileTokens([dense], sonnet)).toBeGreaterThanOrEqual(504_784)
})

test('a PDF that could not be measured holds what the longest window takes', () => {
  const windows = catalogue.flatMap(({ models }) => models.map((model) => model.contextTokens ?? 0))
  expect(longestWindow).toBeGreaterThanOrEqual(Math.max(...windows))
  for (const unknown of [file({}), file({ pages: 1 }), file({ mostTokens: 1 })]) {
    expect(mostFileTokens([unknown], sonnet)).toBe(longestWindow)
  }
})

test('the likely tokens of a PDF follow from its pages, or from its size', () => {
  expect(likelyFileTokens(pdf)).toBe(12 * 2_300)
  expect(likelyFileTokens(file({ bytes: 100 * 1024 }))).toBe(2 * 2_300)
})
