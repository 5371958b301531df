import { expect, it } from 'vitest'
import { addressHash } from '@/lib/domains/rows/address-hash'
import type { Connection } from '@/lib/generated/prisma/client'
import { modelTarget } from '@/tests/support/run-fixture'
import { connectionChange } from './connection-change'

const stored = {
  enabled: true,
  wire: 'openai',
  baseUrl: null,
  settings: {},
  name: 'OpenAI',
  trustZone: 'private',
} satisfies Partial<Connection>
const began = modelTarget({
  trustZone: 'private',
  addressHash: addressHash({ wire: 'openai', baseUrl: null, settings: {} }),
})

it('lets a run ask the connection it began with, at whatever path of its host', () => {
  expect(connectionChange(began, stored)).toBeNull()
  expect(connectionChange(began, { ...stored, baseUrl: 'https://api.openai.com/v2' })).toBeNull()
  expect(connectionChange(began, { ...stored, trustZone: 'local' })).toBeNull()
})

it.each([
  ['deleted', null],
  ['switched off', { ...stored, enabled: false }],
  ['its address or API type', { ...stored, baseUrl: 'https://elsewhere.example.org/v1' }],
  ['its address or API type', { ...stored, baseUrl: 'http://api.openai.com/v1' }],
  ['its address or API type', { ...stored, wire: 'anthropic', baseUrl: 'https://api.openai.com' }],
  ['lower trust zone', { ...stored, trustZone: 'external_eu' }],
] as const)('says that it was %s', (what, now) => {
  expect(connectionChange(began, now)).toContain(what)
})

it('compares at least the wire in journals that say no address', () => {
  const { addressHash: _, ...old } = began
  expect(connectionChange(old, { ...stored, baseUrl: 'https://elsewhere.example.org' })).toBeNull()
  expect(connectionChange(old, { ...stored, wire: 'anthropic' })).toContain(
    'its address or API type',
  )
})

it('ends what began over Chat Completions under the name that Responses has now', () => {
  const baseUrl = 'https://gateway.example.org/v1'
  const settings = {}
  const before = { ...began, addressHash: addressHash({ wire: 'openai', baseUrl, settings }) }
  expect(connectionChange(before, { ...stored, wire: 'openai_compatible', baseUrl })).toContain(
    'its address or API type',
  )
})

it('is no address of the demo', () => {
  const demo = modelTarget({ wire: 'demo', trustZone: 'local', addressHash: null })
  const now = { ...stored, wire: 'demo', trustZone: 'local' } as const
  expect(connectionChange(demo, now)).toBeNull()
  expect(connectionChange(demo, { ...now, wire: 'ollama' })).toContain('its address or API type')
})
