import { expect, test } from 'vitest'
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
