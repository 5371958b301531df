import { expect, test } from 'vitest'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { lacksKey } from '@/lib/protocol/model/model-target'
import { namedConfiguration, usualConfiguration } from './usual-configuration'

function listing(id: string, part: Partial<ConfigurationListing>): ConfigurationListing {
  return {
    id,
    identifier: id,
    name: id,
    description: '',
    maxRounds: 5,
    connectionName: 'Somewhere',
    wire: 'openai',
    lacksKey: false,
    leastTrusted: { connectionName: 'Somewhere', zone: 'external-global' },
    modelId: 'm',
    modelName: 'M',
    fallbacks: [],
    contextTokens: null,
    toolCalling: 'confirmed',
    prices: { input: null, output: null, cachedInput: null, cacheWrite: null, reasoning: null },
    fault: null,
    ...part,
  }
}
const keyless = listing('keyless', { lacksKey: true })
const demo = listing('demo', { wire: 'demo' })
const keyed = listing('keyed', {})

test.each([
  ['one with a key, before the demo', [keyless, demo, keyed], null, 'keyed'],
  [
    'the newest of several with a key',
    [keyed, listing('keyed-later', {}), demo],
    null,
    'keyed-later',
  ],
  ['the demo, before one without a key', [keyless, demo], null, 'demo'],
  ['the first, where all lack a key', [keyless, { ...keyless, id: 'other' }], null, 'keyless'],
  ['the wanted one, whatever it lacks', [keyless, demo, keyed], 'keyless', 'keyless'],
  ['one that can run', [listing('faulty', { fault: 'Edit it.' }), keyed], null, 'keyed'],
  ['none where there is none', [], null, null],
])('begins with %s', (_words, all, wanted, id) => {
  expect(usualConfiguration(all, wanted)).toBe(id)
})

test('finds a configuration by id and by identifier, and no other', () => {
  const nightly = listing('0198a000', { identifier: 'nightly' })
  for (const wanted of ['0198a000', 'nightly']) {
    expect(namedConfiguration([demo, nightly], wanted)).toBe(nightly)
  }
  for (const wanted of ['Nightly', '', null]) {
    expect(namedConfiguration([demo, nightly], wanted)).toBeUndefined()
  }
})

test.each([
  ['openai', 'external-global', false, true],
  ['openai', 'external-global', true, false],
  ['anthropic', 'external-eu', false, true],
  ['openai-compatible', 'external-global', false, true],
  ['openai-compatible', 'local', false, false],
  ['ollama', 'private', false, false],
  ['demo', 'local', false, false],
] as const)(
  '%s in the zone %s, with a secret: %s; lacks a key: %s',
  (wire, trustZone, hasSecret, lacks) => {
    expect(lacksKey({ wire, trustZone, hasSecret })).toBe(lacks)
  },
)
