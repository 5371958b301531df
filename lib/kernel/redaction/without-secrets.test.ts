import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets'

test('removes values under names that sound like secrets, at any depth', () => {
  const record = {
    apiKey: 'a',
    api_key: 'a',
    OPENAI_API_KEY: 'a',
    key: 'a',
    password: 'a',
    passwordHash: 'a',
    clientSecret: 'a',
    token: 'a',
    setupToken: 'a',
    Authorization: 'a',
    nested: [{ credentials: { user: 'a' } }],
  }
  const clean = withoutSecrets(record)
  expect(JSON.stringify(clean)).not.toContain('"a"')
  expect(clean).toMatchObject({ nested: [{ credentials: '(removed)' }] })
})

test('keeps what only looks alike', () => {
  const record = {
    contextTokens: 5,
    maxOutputTokens: 7,
    monkey: 'b',
    keyboard: 'c',
    lastFour: 'abcd',
  }
  expect(withoutSecrets(record)).toEqual(record)
})

test('gives plain JSON', () => {
  const at = new Date(0)
  const record = {
    at,
    big: 5n,
    none: undefined,
    bytes: new Uint8Array([1]),
    not: Number.NaN,
    apiKey: null,
  }
  expect(withoutSecrets(record)).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    big: '5',
    bytes: '(binary)',
    not: 'NaN',
    apiKey: null,
  })
})

test('endlessly nested values are cut, not walked', () => {
  const clean = withoutSecrets({
    arguments: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  })
  expect(JSON.stringify(clean)).toContain('[["(nested too deeply)"]]')
  expect(withoutSecrets([[[{ a: 1 }]]])).toEqual([[[{ a: 1 }]]])
})
