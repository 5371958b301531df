import { expect, test } from 'vitest'
import type { GovernedConfiguration } from '@/lib/domains/configurations/schemas'
import { lenientQuery } from '@/lib/edge/lenient-query'
import type { TrustZone } from '@/lib/protocol/model/model-target'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import type { DataClass } from '@/lib/protocol/tool'
import type { SortOrder } from '@/lib/shape/sort-order'
import {
  ConfigurationQuery,
  type ConfigurationSortKey,
  filterConfigurations,
  sortConfigurations,
} from './configuration-filter'
import { allowedWords, audienceWords } from './configuration-words'

type Fields = Partial<GovernedConfiguration> & { zone?: TrustZone; limit?: DataClass }

function configuration(identifier: string, fields: Fields = {}) {
  return {
    id: identifier,
    identifier,
    name: `The ${identifier}`,
    description: '',
    enabled: true,
    chain: [
      {
        connectionName: 'OpenAI',
        trustZone: 'external-global' as const,
        wire: 'openai' as const,
        modelId: 'gpt-x',
        modelName: 'GPT X',
        enabled: true,
      },
    ],
    systemPrompt: '',
    parameters: defaultModelParameters,
    maxRounds: 5,
    timeLimitMs: 600_000,
    allowedToolGroups: null,
    allowedTools: [],
    allowedOverrides: [],
    raisedDataClass: null,
    fault: null,
    fourEyes: false,
    afterUntrusted: 'ask' as const,
    memoryInPrompt: false,
    groups: [],
    skills: 0,
    zone: 'external-global' as const,
    limit: 'content' as const,
    ...fields,
  }
}

const all = [
  configuration('fast', { groups: [{ id: 'g', name: 'Support' }] }),
  configuration('slow', { enabled: false }),
]
const names = (filter: Parameters<typeof filterConfigurations>[1]) =>
  filterConfigurations(all, filter).map(({ identifier }) => identifier)

test('finds by words, state and zone', () => {
  expect(names({})).toEqual(['fast', 'slow'])
  expect(names({ search: 'gpt SUPPORT' })).toEqual(['fast'])
  expect(names({ state: 'off' })).toEqual(['slow'])
  expect(names({ zone: 'local' })).toEqual([])
  expect(lenientQuery(ConfigurationQuery, { state: 'x', page: '-1', search: 'a' })).toEqual({
    search: 'a',
    page: 1,
    sort: 'name',
  })
})

test('sorts by what the list shows, by name where that is the same, and by name when asked for nonsense', () => {
  const rows = [
    configuration('c', { zone: 'local', limit: 'diagnostics' }),
    configuration('a', { enabled: false }),
    configuration('b', { zone: 'private', limit: 'diagnostics' }),
  ]
  const order = (by: SortOrder<ConfigurationSortKey>) =>
    sortConfigurations(rows, by).map(({ identifier }) => identifier)
  expect([order('name'), order('-name')]).toEqual([
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ])
  expect([order('zone'), order('-zone')]).toEqual([
    ['c', 'b', 'a'],
    ['a', 'b', 'c'],
  ])
  expect(order('-limit')).toEqual(['b', 'c', 'a'])
  expect(order('-state')).toEqual(['b', 'c', 'a'])
  expect(order('model')).toEqual(['a', 'b', 'c'])
  expect(lenientQuery(ConfigurationQuery, { sort: 'id; drop table' }).sort).toBe('name')
  expect(lenientQuery(ConfigurationQuery, { sort: '-zone' }).sort).toBe('-zone')
})

test('says in words who may use one and which tools it allows', () => {
  const groups = ['A', 'B', 'C', 'D'].map((name) => ({ id: name, name }))
  expect(audienceWords(configuration('x', { groups }))).toBe('A, B and 2 more')
  expect(audienceWords(configuration('x'))).toBe('Admins only')
  expect(allowedWords(configuration('x'))).toBe('All tool groups')
  expect(allowedWords(configuration('x', { allowedToolGroups: [] }))).toBe('No tool groups')
  expect(allowedWords({ allowedToolGroups: ['a', 'b'], allowedTools: [] })).toBe('a, b')
  const [allowedTools, one] = [['x', 'y'], ['x']]
  expect(allowedWords({ allowedToolGroups: ['a'], allowedTools })).toBe('a and 2 single tools')
  expect(allowedWords({ allowedToolGroups: [], allowedTools: one })).toBe('1 single tool')
})
