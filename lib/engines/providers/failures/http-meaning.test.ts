import { expect, it } from 'vitest'
import { httpMeaning } from './http-meaning'

it.each([
  [
    "Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model.",
    'reasoning.effort',
  ],
  ['Unrecognized request argument supplied: verbosity', 'verbosity'],
  ['tool_choice: only auto is supported when thinking is enabled', 'tool_choice, thinking'],
  ['Invalid service_tier argument', 'service_tier'],
  ['Unsupported parameter: reasoning_effort', 'reasoning_effort'],
])('a refusal that says "%s" names the field and the way out', (text, named) => {
  const { category, advice } = httpMeaning(400, JSON.stringify({ error: { message: text } }))
  expect(category).toBe('bad-request')
  expect(advice).toContain(`Its answer mentions: ${named}. If the model does not take it, store`)
  const limit = httpMeaning(400, '{"error":{"message":"max_tokens is odd"}}').advice
  expect(limit).toContain('Its answer mentions: max_tokens. Check')
})
