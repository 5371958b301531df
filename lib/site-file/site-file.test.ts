import { expect, test } from 'vitest'
import { parseSiteFile } from './parse-site-file'

const parse = (text: string) => parseSiteFile(`toolgate: 1\n${text}`)
const model = '{ connection: A, model: m }'

test.each([
  ['models: [{ connection: A, model: m, prices: [{ validFrom: 2026-01-01 }] }]', 'at least one'],
  [
    'models: [{ connection: A, model: m, prices: [{ validFrom: 1999-01-01, inputUsd: 1 }] }]',
    'from 2000 to 2099',
  ],
  [
    'models: [{ connection: A, model: m, prices: [{ validFrom: 2026-01-01, inputUsd: 5000 }] }]',
    'at most 2,147.48',
  ],
  [
    'models: [{ connection: A, model: m, prices: [{ validFrom: 2026-01-01, inputUsd: 1 }, { validFrom: 2026-01-01T00:00:00Z, inputUsd: 2 }] }]',
    'one price per moment',
  ],
  ['configurations: [{ identifier: a, costCapUsd: 0 }]', 'more than 0'],
  ['configurations: [{ identifier: a, skills: [{ name: s }, { name: s }] }]', 'each skill once'],
  [`configurations: [{ identifier: a, fallbacks: [${model}, ${model}] }]`, 'each model once'],
])('%s is refused when it is read', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test('groups are each named once, in the order of their letters', () => {
  const { configurations } = parse('configurations: [{ identifier: a, groups: [b, Z, a, b] }]')
  expect(configurations).toEqual([{ identifier: 'a', groups: ['Z', 'a', 'b'] }])
})

test.each([
  ['toolgate: 3', 'Start with the line'],
  ['toolgate: 1\nconnections: [{ name: A, secret: x }]', 'secret'],
  ['toolgate: 1\nmodels: [{ model: m }]', 'connection'],
  ['toolgate: 1\ntools: [{ name: get_env, enabled: maybe }]', 'Give true or false.'],
  ['a: &x [1]', 'anchor'],
  ['toolgate: 1\ntoolgate: 1', 'cannot be read at line 2'],
])('%s is refused', (text, message) => expect(() => parseSiteFile(text)).toThrow(message))
