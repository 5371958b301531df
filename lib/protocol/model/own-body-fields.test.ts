import { expect, test } from 'vitest'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import type { ModelTarget } from './model-target'
import { fieldsSetByUs, withExtraBody } from './own-body-fields'

test('names the fields that Toolgate sets itself', () => {
  expect(fieldsSetByUs('openai-compatible', { model: 'x', safe_prompt: true, n: 2 })).toEqual([
    'model',
    'n',
  ])
  expect(fieldsSetByUs('anthropic', { metadata: { user_id: 'a' }, output_config: {} })).toEqual([])
  expect(fieldsSetByUs('anthropic', { output_config: { effort: 'max' }, thinking: {} })).toEqual([
    'thinking',
    'output_config.effort',
  ])
  expect(fieldsSetByUs('ollama', { options: { num_ctx: 8_192 }, keep_alive: '5m' })).toEqual([])
  expect(fieldsSetByUs('ollama', { options: 5 })).toContain('options.temperature')
  expect(fieldsSetByUs('demo', { model: 'x' })).toEqual([])
})

test('adds further fields and never touches a field of the body', () => {
  const body = { model: 'm', options: { seed: 1 }, x: 1 }
  const extra = {
    model: 'other',
    x: 2,
    keep_alive: '5m',
    options: { seed: 2, temperature: 9, num_ctx: 8_192 },
  }
  expect(withExtraBody('ollama', body, extra)).toEqual({
    model: 'm',
    x: 1,
    keep_alive: '5m',
    options: { seed: 1, num_ctx: 8_192 },
  })
  expect(withExtraBody('ollama', { model: 'm' }, { options: 5 })).toEqual({ model: 'm' })
  const odd = JSON.parse('{"__proto__": {"model": "other"}, "constructor": 1}')
  expect(JSON.stringify(withExtraBody('ollama', { model: 'm' }, odd))).toBe(
    '{"model":"m","__proto__":{"model":"other"},"constructor":1}',
  )
  expect(withExtraBody('ollama', body, null)).toBe(body)
})

test('Google reads both spellings of a name, so neither of them passes what is set here', () => {
  const extra = {
    generation_config: { candidate_count: 8 },
    generationConfig: { max_output_tokens: 65_536, presencePenalty: 1 },
    cachedContent: 'cachedContents/1',
  }
  expect(fieldsSetByUs('gemini', extra)).toEqual([
    'generation_config',
    'generationConfig.max_output_tokens',
    'cachedContent',
  ])
  expect(withExtraBody('gemini', { contents: [] }, extra)).toEqual({
    contents: [],
    generationConfig: { presencePenalty: 1 },
  })
})

test.each<[ModelTarget['wire'], string, JsonObject[string]]>([
  ['openai-compatible', 'models', ['other/model']],
  ['openai-compatible', 'route', 'fallback'],
  ['openai-compatible', 'plugins', [{ id: 'web' }]],
  ['openai-compatible', 'transforms', ['middle-out']],
  ['openai-compatible', 'web_search_options', {}],
  ['openai-compatible', 'store', true],
  ['openai-compatible', 'background', true],
  ['openai-compatible', 'audio', { voice: 'x' }],
  ['openai-compatible', 'modalities', ['audio']],
  ['openai-compatible', 'prediction', {}],
  ['openai-compatible', 'n_predict', 9],
  ['openai-compatible', 'best_of', 9],
  ['openai-compatible', 'use_beam_search', true],
  ['azure-openai', 'web_search_options', {}],
  ['azure-openai', 'prompt', { id: 'x' }],
  ['openai', 'prompt', { id: 'x' }],
  ['openai', 'max_tool_calls', 9],
  ['openai', 'truncation', 'auto'],
  ['anthropic', 'mcp_servers', []],
  ['anthropic', 'container', 'x'],
  ['anthropic', 'speed', 'fast'],
  ['anthropic', 'cache_control', { type: 'ephemeral', ttl: '1h' }],
  ['anthropic', 'context_management', {}],
  ['anthropic', 'compaction', {}],
  ['anthropic', 'fallbacks', 'default'],
  ['anthropic', 'thread', {}],
  ['anthropic', 'output_format', {}],
  ['openai-compatible', 'speed', 'fast'],
  ['openai-compatible', 'enable_search', true],
  ['azure-openai', 'data_sources', []],
  ['gemini', 'store', true],
])('%s: %s is not for others to set', (wire, name, value) => {
  expect(fieldsSetByUs(wire, { [name]: value })).toEqual([name])
  expect(withExtraBody(wire, { model: 'm' }, { [name]: value, x: 1 })).toEqual({ model: 'm', x: 1 })
})

test('fields that change neither model nor tools stay free', () => {
  const routed = { provider: { order: ['a'] }, safe_prompt: true, prompt_cache_retention: '24h' }
  expect(fieldsSetByUs('openai-compatible', routed)).toEqual([])
  expect(withExtraBody('openai-compatible', { model: 'm' }, routed)).toEqual({
    model: 'm',
    ...routed,
  })
  expect(fieldsSetByUs('anthropic', { metadata: { user_id: 'a' } })).toEqual([])
})

test('no spelling of a limit of tokens passes, in the body or in an object of it', () => {
  const wires = ['openai', 'openai-compatible', 'azure-openai', 'anthropic', 'ollama'] as const
  const extra = { max_new_tokens: 9, maxTokens: 9, some: { max_tokens_to_sample: 9, kept: 1 } }
  for (const wire of wires) {
    expect(fieldsSetByUs(wire, extra)).toEqual([
      'max_new_tokens',
      'maxTokens',
      'some.max_tokens_to_sample',
    ])
    expect(withExtraBody(wire, { model: 'm' }, extra)).toEqual({ model: 'm', some: { kept: 1 } })
  }
  const schema = { guided_json: { properties: { max_tokens: { type: 'integer' } } } }
  expect(fieldsSetByUs('openai-compatible', schema)).toEqual([])
  expect(withExtraBody('openai-compatible', {}, schema)).toEqual(schema)
})

test('the fields that Amazon Bedrock hands to a model have no limits, tools or betas', () => {
  const fields = {
    max_tokens: 9,
    max_completion_tokens: 9,
    anthropic_beta: ['x'],
    tools: [],
    inferenceConfig: { max_new_tokens: 9, topK: 5 },
    top_k: 5,
  }
  const extra = { additionalModelRequestFields: fields }
  expect(fieldsSetByUs('bedrock', extra).toSorted()).toEqual(
    [
      'anthropic_beta',
      'inferenceConfig.max_new_tokens',
      'max_completion_tokens',
      'max_tokens',
      'tools',
    ].map((name) => `additionalModelRequestFields.${name}`),
  )
  expect(withExtraBody('bedrock', {}, extra)).toEqual({
    additionalModelRequestFields: { inferenceConfig: { topK: 5 }, top_k: 5 },
  })
})
