import { describe, expect, it, test } from 'vitest'
import { schemaTokens } from '@/lib/protocol/tool'
import { builtinTools } from './index.generated'

describe('every built-in tool', () => {
  it('has a name of its own, and its place by name', () => {
    const names = builtinTools.map((tool) => tool.name)
    expect(names).toEqual([...new Set(names)].sort())
  })

  it.each(builtinTools.map((tool) => [tool.name, tool] as const))(
    '%s tells a model in a sentence when to use it, and costs few tokens',
    (_, tool) => {
      expect(tool.description).toMatch(/^[A-Z].{10,1000}\.$/s)
      expect(schemaTokens(tool)).toBeLessThan(500)
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.parameters).not.toHaveProperty('$schema')
    },
  )

  it.each(builtinTools.map((tool) => [tool.name, tool] as const))(
    '%s takes its own example',
    (_, { schema, example }) => {
      expect(schema.safeParse(example)).toMatchObject({ success: true })
    },
  )
})

const ofData = {
  group: 'data',
  requiresAdmin: false,
  needs: 'data-source',
  dataClass: 'internal-config',
}

const ofWorkspace = {
  group: 'workspace',
  requiresAdmin: false,
  needs: 'workspace',
  dataClass: 'source-code',
}

const ofStorage = {
  group: 'assets',
  requiresAdmin: false,
  needs: 'storage',
  dataClass: 'content',
}

// SPEC B. Tools that are added later need no line here.
test.each([
  { name: 'fetch_logs', group: 'system' },
  { name: 'get_env', group: 'system' },
  { name: 'get_env_raw', group: 'system', enabledByDefault: false },
  { name: 'get_runtime_info', group: 'system' },
  { name: 'get_runtime_info_raw', group: 'system', enabledByDefault: false },
  { name: 'get_last_exception', group: 'system', dataClass: 'diagnostics' },
  { name: 'get_system_status', group: 'system' },
  { name: 'list_dependencies', group: 'system' },
  { name: 'list_schedules', group: 'system' },
  { name: 'list_users_raw', group: 'accounts', enabledByDefault: false },
  { name: 'list_groups', group: 'accounts' },
  { name: 'list_users', group: 'accounts' },
  { name: 'memory_read', group: 'memory', requiresAdmin: false },
  {
    name: 'memory_write',
    group: 'memory',
    requiresAdmin: false,
    enabledByDefault: false,
    effect: 'idempotent-write',
  },
  ...['browse_folder', 'list_storages', 'read_asset_meta', 'search_files'].map((name) => ({
    name,
    ...ofStorage,
  })),
  {
    name: 'set_alternative_text',
    ...ofStorage,
    effect: 'idempotent-write',
    enabledByDefault: false,
  },
  {
    name: 'spawn_run',
    group: 'agents',
    requiresAdmin: false,
    startsRuns: true,
    effect: 'write',
    enabledByDefault: false,
    dataClass: 'content',
  },
  {
    name: 'send_message',
    group: 'agents',
    requiresAdmin: false,
    needs: 'channel',
    effect: 'write',
    enabledByDefault: false,
    dataClass: 'content',
  },
  { name: 'calculate', group: 'web', requiresAdmin: false },
  { name: 'current_time', group: 'web', requiresAdmin: false },
  { name: 'fetch_url', group: 'web', requiresAdmin: false, needs: 'host' },
  { name: 'verify', group: 'web', requiresAdmin: false },
  { name: 'web_search', group: 'web', requiresAdmin: false, needs: 'search-endpoint' },
  ...['get_record_history', 'get_schema', 'read_records', 'search_records'].map((name) => ({
    name,
    ...ofData,
  })),
  { ...ofData, name: 'run_query', requiresAdmin: true, enabledByDefault: false },
  ...['insert_record', 'update_record'].map((name) => ({
    name,
    ...ofData,
    effect: 'write',
    enabledByDefault: false,
  })),
  { name: 'probe_url', group: 'system', needs: 'site', dataClass: 'diagnostics' },
  ...['get_page_tree', 'get_page_content'].map((name) => ({
    name,
    group: 'site',
    requiresAdmin: false,
    needs: 'site',
    dataClass: 'content',
  })),
  ...['list_directory', 'read_file', 'search_files_text'].map((name) => ({ name, ...ofWorkspace })),
  ...['edit_file', 'write_file'].map((name) => ({
    name,
    ...ofWorkspace,
    effect: 'write',
    enabledByDefault: false,
  })),
])('$name has the specified effect and default', (facts) => {
  expect(builtinTools.find(({ name }) => name === facts.name)).toMatchObject({
    effect: 'read',
    requiresAdmin: true,
    enabledByDefault: true,
    ...facts,
  })
})

test('a tool for members that needs no resource of an admin returns at most content, so that every model may be offered it', () => {
  const opened = new Set(['workspace', 'data-source'])
  const open = builtinTools.filter(
    ({ requiresAdmin, needs = '' }) => !requiresAdmin && !opened.has(needs),
  )
  expect(open.length).toBeGreaterThan(2)
  const tooMuch = open.filter(({ dataClass }) => dataClass !== 'public' && dataClass !== 'content')
  expect(tooMuch).toEqual([])
})
