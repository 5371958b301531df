import { expect, it } from 'vitest'
import { type ConnectionPreset, connectionPresets } from '@/lib/domains/connections/presets'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import {
  type ConnectionDraft,
  draftOf,
  draftOfPreset,
  emptyDraft,
  missingKey,
  needsKey,
  needsOtherSecrets,
  toChange,
  toNewConnection,
  withWire,
  withZoneReset,
} from './connection-draft'

const stored: ConnectionListing = {
  id: 'c',
  name: 'Gateway',
  wire: 'openai-compatible',
  baseUrl: 'https://llm.example.org/v1',
  settings: {},
  organisation: null,
  trustZone: 'external-eu',
  privateAddressAllowed: false,
  connectTimeoutMs: 2_500,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  maxTries: 2,
  enabled: true,
  key: { lastFour: 'abcd', updatedAt: '2026-11-22T00:00:00.000Z' },
  headerNames: ['x-team'],
  models: 0,
  health: { type: 'healthy' },
  zone: { type: 'fits' },
  troubles: [],
  lastTest: null,
  updatedAt: '2026-11-22T00:00:00.000Z',
}

it('says the same again when nothing was typed, and leaves secrets alone', () => {
  const { apiKey, headers, updatedAt, ...facts } = toChange(draftOf(stored), stored)
  expect([apiKey, headers, updatedAt]).toEqual([undefined, undefined, stored.updatedAt])
  expect(stored).toMatchObject(facts)
})

it('takes stored secrets along to no other host', () => {
  const path = { ...draftOf(stored), baseUrl: 'https://llm.example.org/v2' }
  const host = { ...draftOf(stored), baseUrl: 'https://llm.example.com/v1', apiKey: ' new ' }
  expect([needsOtherSecrets(path, stored), needsOtherSecrets(host, stored)]).toEqual([false, true])
  expect(toChange(host, stored)).toMatchObject({ apiKey: 'new', headers: { 'x-team': null } })
  expect(toChange({ ...host, apiKey: '' }, stored)).toMatchObject({ apiKey: null })
  expect(needsOtherSecrets({ ...host, baseUrl: 'https://' }, stored)).toBe(false)
})

it('keeps the settings of each API type apart, and has them again', () => {
  const entra = { authentication: 'entra', authority: 'https://login.example' }
  const azure = { ...emptyDraft, wire: 'azure-openai' as const, settings: entra }
  const google = { ...azure, ...withWire(azure, 'gemini') }
  expect(toNewConnection(google).settings).toEqual({ authentication: 'key' })
  expect({ ...google, ...withWire(google, 'azure-openai') }).toMatchObject(azure)
  expect(withWire(azure, 'azure-openai')).toEqual({})
})

it('reads seconds, and leaves nonsense for the server to name', () => {
  const typed = {
    ...emptyDraft,
    connectTimeoutMs: '0,5',
    firstByteTimeoutMs: 'soon',
    idleTimeoutMs: '',
  }
  const { connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs } = toNewConnection(typed)
  expect([connectTimeoutMs, firstByteTimeoutMs, idleTimeoutMs]).toEqual([500, Number.NaN, null])
})

it('sends the headers that were begun', () => {
  const headers = [
    { id: 1, name: 'x-team', value: 'blue' },
    { id: 2, name: ' ', value: '' },
    { id: 3, name: 'x-half', value: '' },
  ]
  expect(toNewConnection({ ...emptyDraft, headers }).headers).toEqual({
    'x-team': 'blue',
    'x-half': '',
  })
})

it('another host has its trust zone chosen anew, the stored host keeps the stored one', () => {
  const draft = draftOf(stored)
  const elsewhere = { ...draft, baseUrl: 'https://elsewhere.example.org/v1' }
  expect(withZoneReset(elsewhere, draft, stored)).toEqual({ trustZone: '' })
  expect(withZoneReset({ ...draft, name: 'Other' }, draft, stored)).toEqual({})
  const path = { ...draft, baseUrl: `${stored.baseUrl}/more` }
  expect(withZoneReset(path, draft, stored)).toEqual({})
  expect(withZoneReset(draft, { ...elsewhere, trustZone: '' }, stored)).toEqual({
    trustZone: stored.trustZone,
  })
})

it('begins with what a preset knows of its API type', () => {
  const preset = connectionPresets.find(({ id }) => id === 'vertex')
  const draft = preset && { ...draftOfPreset(preset), apiKey: ' {"type": "service_account"} ' }
  expect(draft && toNewConnection(draft)).toMatchObject({
    wire: 'gemini',
    baseUrl: null,
    settings: { authentication: 'service-account', location: 'global' },
    apiKey: '{"type": "service_account"}',
  })
})

it.each<[string, Partial<ConnectionDraft>, boolean]>([
  ['anthropic', {}, true],
  ['anthropic', { baseUrl: 'https://api.anthropic.com/' }, true],
  ['anthropic', { baseUrl: 'https://llm.example.org' }, false],
  ['anthropic', { headers: [{ id: 1, name: 'authorization', value: 'x' }] }, false],
  ['gemini', {}, true],
  ['openai', { wire: 'openai-compatible', baseUrl: 'https://llm.example.org/v1' }, false],
  ['vertex', {}, true],
  ['ollama', {}, false],
  ['vllm', {}, false],
  ['azure-openai', { baseUrl: 'https://acme.openai.azure.com/openai/v1' }, true],
  ['bedrock', {}, true],
  ['bedrock', { settings: { region: 'eu-central-1' } }, true],
  ['bedrock', { baseUrl: 'https://llm.example.org' }, false],
  ['bedrock', { settings: { region: 'eu-central-1', authentication: 'environment' } }, false],
])('asks for the key where the provider of a preset is asked itself: %s %j', (id, typed, asks) => {
  const preset = connectionPresets.find((each) => each.id === id) ?? null
  const draft: ConnectionDraft = {
    ...draftOfPreset(preset as ConnectionPreset),
    ...typed,
  }
  expect(needsKey(draft, preset)).toBe(asks)
})

it('names the missing key together with the settings that are wrong', () => {
  const preset = connectionPresets.find((each) => each.id === 'bedrock') ?? null
  const draft = draftOfPreset(preset as ConnectionPreset)
  expect(missingKey(draft, preset)?.fields).toEqual({
    'settings.region': 'Enter the region.',
    'settings.accessKeyId': 'Enter the access key id.',
    apiKey: 'Paste the key.',
  })
  expect(missingKey({ ...draft, apiKey: 'x' }, preset)).toBeNull()
})
