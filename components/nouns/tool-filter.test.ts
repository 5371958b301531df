import { createLoader } from 'nuqs/server'
import { describe, expect, test } from 'vitest'
import { type ToolListing, toListing } from '@/lib/toolset/tools/tool-listing'
import {
  filterTools,
  isOn,
  promptOverhead,
  type ToolFilter,
  toolFilterInAddress,
  toolsHref,
} from './tool-filter'

const override = (enabled: boolean) => ({
  enabled,
  reason: 'incident 12',
  changedByLabel: 'ana@example.org',
  changedAt: new Date(0),
})

function tool(name: string, over: Partial<ToolListing> = {}, enabled?: boolean): ToolListing {
  const meta = {
    name,
    description: `What ${name} does.`,
    parameters: { type: 'object', properties: {} },
    group: 'system',
    enabledByDefault: true,
    requiresAdmin: true,
    effect: 'read' as const,
    dataClass: 'diagnostics' as const,
    timeoutMs: 30_000,
    ...over,
  }
  return toListing(meta, enabled === undefined ? {} : { override: override(enabled) })
}

const tools = [
  tool('fetch_logs', { description: 'Newest entries of the application log.' }),
  tool('get_env_raw', { enabledByDefault: false }),
  tool('list_users', { group: 'accounts' }, false),
  tool('write_file', { group: 'workspace', effect: 'write', enabledByDefault: false }, true),
]
const readFilter = createLoader(toolFilterInAddress)
const noToolFilter = readFilter('')
const names = (filter: Partial<ToolFilter>) =>
  filterTools(tools, { ...noToolFilter, ...filter }).map((found) => found.name)

describe('filterTools', () => {
  test('shows everything when nothing is asked', () => {
    expect(names({})).toHaveLength(4)
  })
  test('finds every word in name, group or description, whatever the case', () => {
    expect(names({ search: 'LOG application' })).toEqual(['fetch_logs'])
    expect(names({ search: 'accounts' })).toEqual(['list_users'])
    expect(names({ search: 'logs accounts' })).toEqual([])
  })
  test('takes a search for plain text, not a pattern', () => {
    expect(names({ search: '.*' })).toEqual([])
  })
  test('knows on, off and changed', () => {
    expect(names({ state: 'on' })).toEqual(['fetch_logs', 'write_file'])
    expect(names({ state: 'off' })).toEqual(['get_env_raw', 'list_users'])
    expect(names({ state: 'changed' })).toEqual(['list_users', 'write_file'])
  })
  test('combines group and effect', () => {
    expect(names({ group: 'workspace', effect: 'write' })).toEqual(['write_file'])
    expect(names({ group: 'workspace', effect: 'read' })).toEqual([])
  })
})

describe('the address', () => {
  test('carries a filter there and back', () => {
    const filter = { search: 'a b&c', group: 'system', state: 'off', effect: 'read' } as const
    expect(readFilter(`http://toolgate.test${toolsHref(filter)}`)).toEqual(filter)
  })
  test('has no query when nothing is filtered, and unknown values mean all', () => {
    expect(toolsHref({})).toBe('/tools')
    expect(toolsHref(noToolFilter)).toBe('/tools')
    expect(readFilter({ state: 'sideways', effect: ['delete'] })).toEqual(noToolFilter)
  })
})

test('the prompt overhead counts what is on', () => {
  const overhead = promptOverhead(tools)
  expect(overhead).toMatchObject({ tools: 4, on: 2 })
  expect(overhead.tokens).toBe((tools[0]?.schemaTokens ?? 0) + (tools[3]?.schemaTokens ?? 0))
})

test('a tool of a switched-off group is off, whatever its own switch says', () => {
  const groupOff = { reason: 'Audit', changedByLabel: 'ada@example.org', changedAt: '' }
  const off = tools.map((each) => (each.group === 'workspace' ? { ...each, groupOff } : each))
  expect(off.filter(isOn).map(({ name }) => name)).toEqual(['fetch_logs'])
  expect(filterTools(off, { ...noToolFilter, state: 'on' })).toHaveLength(1)
  expect(promptOverhead(off)).toMatchObject({ tools: 4, on: 1 })
})
