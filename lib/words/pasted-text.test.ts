import { expect, it } from 'vitest'
import { cleanBaseUrl, cleanKey, pastedWords } from './pasted-text'

it.each([
  '"sk-0123456789"',
  "'sk-0123456789',",
  '“sk-0123456789”',
  '\u200bsk-0123456789\u00a0\n',
  'OPENAI_API_KEY=sk-0123456789',
  'export OPENAI_API_KEY="sk-0123456789"\n',
  ' hf_token = `sk-0123456789` ',
])('a key is taken out of what was pasted around it: %j', (pasted) => {
  expect(cleanKey(pasted)).toBe('sk-0123456789')
})

it.each(['sk-0123456789', 'bXlLZXk=', 'mySecretKey==', '{"type":"service_account"}', 'a"b', '""x'])(
  'a key stays as it is: %j',
  (key) => {
    expect(cleanKey(key)).toBe(key)
    expect(pastedWords('key', ` ${key}\n`)).toBeNull()
  },
)

it.each([
  ['https://api.example.org/v1/models', 'https://api.example.org/v1', '/models'],
  ['https://api.example.org/v1/models/ ', 'https://api.example.org/v1', '/models'],
  ['http://localhost:8000/v1/chat/completions', 'http://localhost:8000/v1', '/chat/completions'],
])('a base URL is without the path of a request: %s', (pasted, address, left) => {
  expect(cleanBaseUrl(pasted)).toBe(address)
  expect(pastedWords('base-url', pasted)).toContain(`"${left}"`)
})

it.each([
  'https://x.services.ai.azure.com/models',
  'https://api.example.org/my-models',
  'x',
  'http://embeddings',
  'https://models',
])('a base URL stays as it is: %s', (address) => {
  expect(cleanBaseUrl(`${address}/`)).toBe(address)
  expect(pastedWords('base-url', `${address}/`)).toBeNull()
})

it('a text that is longer than any key or address stays as it is, so that nobody waits for it', () => {
  const key = `"${'k'.repeat(20_000)}"`
  const address = `https://example.org${'/'.repeat(2_000)}`
  expect([cleanKey(key), cleanBaseUrl(address)]).toEqual([key, address])
  expect(pastedWords('base-url', address)).toBeNull()
})
