import { expect, it } from 'vitest'
import type { ConnectionListing } from '@/lib/domains/connections/schemas'
import { lenientQuery } from '@/lib/edge/lenient-query'
import { ConnectionQuery, filterConnections } from './connection-filter'
import { healthPill } from './connection-words'

const one = (name: string, facts: Partial<ConnectionListing> = {}): ConnectionListing => ({
  id: name,
  name,
  wire: 'openai',
  baseUrl: null,
  settings: {},
  organisation: null,
  trustZone: 'external-global',
  privateAddressAllowed: false,
  connectTimeoutMs: null,
  firstByteTimeoutMs: null,
  idleTimeoutMs: null,
  maxTries: 3,
  enabled: true,
  key: null,
  headerNames: [],
  models: 0,
  health: { type: 'healthy' },
  zone: { type: 'fits' },
  troubles: [],
  lastTest: null,
  updatedAt: '2026-11-22T00:00:00.000Z',
  ...facts,
})
const all = [
  one('OpenAI'),
  one('Rack', { wire: 'ollama', baseUrl: 'http://rack.lan:11434', trustZone: 'private' }),
  one('Old', { enabled: false }),
  one('Sick', { health: { type: 'failing', failures: 2, advice: '', at: null } }),
]
const refused = {
  outcome: 'unauthorised',
  status: 401,
  message: '',
  models: null,
  latencyMs: 1,
  at: '',
}
const found = (params: Record<string, string>) =>
  filterConnections(all, lenientQuery(ConnectionQuery, params)).map(({ name }) => name)

it('looks at name, wire and address, the wire’s own too', () => {
  expect(found({ search: 'rack.lan' })).toEqual(['Rack'])
  expect(found({ search: 'api.openai.com open' })).toEqual(['OpenAI', 'Old', 'Sick'])
})

it('a key that the last test found refused is no healthy connection, whatever is shown of it', () => {
  const connection = one('Refused', { lastTest: refused })
  expect(healthPill(connection)).toEqual({ state: 'error', word: 'Key refused', at: '' })
  expect(filterConnections([connection], { state: 'healthy' })).toEqual([])
  expect(filterConnections([connection], { state: 'trouble' })).toEqual([connection])
  expect(healthPill(one('Slow', { lastTest: { ...refused, outcome: 'timeout' } }))).toEqual({
    state: 'ok',
    word: 'Healthy',
    at: null,
  })
})

it('narrows by wire, trust zone and health, and ignores nonsense', () => {
  expect(found({ wire: 'ollama' })).toEqual(['Rack'])
  expect(found({ zone: 'private' })).toEqual(['Rack'])
  expect(found({ state: 'off' })).toEqual(['Old'])
  expect(found({ state: 'failing' })).toEqual(['Sick'])
  expect(found({ state: 'odd', wire: 'pigeon', page: '-1' })).toHaveLength(4)
})
