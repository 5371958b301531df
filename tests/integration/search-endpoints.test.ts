import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exportAudit } from '@/lib/domains/audit/export-audit'
import { searchEndpointVerbs } from '@/lib/domains/search-endpoints/verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import { testSearchEndpoint } from '@/lib/probes/test-search-endpoint'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { readPresentNeeds } from '@/lib/toolset/policy/tool-needs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { searchKey, startSearchServer } from '@/tests/support/search-server'
import { toolgate } from '@/tests/support/toolgate-process'
import { sends } from '@/tests/support/web-server'

const items = [{ title: 'Manual', url: 'https://docs.example.org/', content: 'How to begin.' }]
let admin: Ctx
let member: Ctx
let server: Awaited<ReturnType<typeof startSearchServer>>

beforeAll(async () => {
  ;[admin, member] = await Promise.all([addPerson('admin'), addPerson('member')])
  server = await startSearchServer(items, {
    '/html/search': sends('<p>Results</p>', { 'content-type': 'text/html' }),
    '/suspended/search': sends(
      JSON.stringify({ results: [], unresponsive_engines: [['google', 'CAPTCHA']] }),
      { 'content-type': 'application/json' },
    ),
    '/none/search': sends('{"results":[]}', { 'content-type': 'application/json' }),
  })
})
afterEach(async () => {
  await db().searchEndpoint.deleteMany()
  await db().vaultSecret.deleteMany()
})
afterAll(() => server.close())

type Values = Parameters<typeof searchEndpointVerbs.create>[1]
const add = async (values: Values) => (await searchEndpointVerbs.create(admin, values)).id
const ours = (more: Partial<Values> = {}) => ({
  name: 'Ours',
  kind: 'searxng' as const,
  address: server.origin,
  privateAddressAllowed: true,
  ...more,
})
const brave = (more: Partial<Values> = {}) => ({
  ...ours(),
  name: 'Brave',
  kind: 'brave' as const,
  address: `${server.origin}/res/v1/web/search`,
  key: searchKey,
  ...more,
})

/** Returns everything about search endpoints that is stored unencrypted, or shown. */
async function keptInClear(): Promise<string> {
  const pieces: string[] = []
  for await (const piece of await exportAudit(admin, { format: 'ndjson' })) pieces.push(piece)
  const stored = [await db().searchEndpoint.findMany(), await db().logEntry.findMany()]
  const { rows } = await searchEndpointVerbs.list(admin, { sort: 'name' })
  return JSON.stringify([pieces, stored, rows, await exportSite(admin)])
}

test('its key is in the vault alone, until both are deleted', async () => {
  const id = await add(brave())
  await searchEndpointVerbs.update(admin, { id, key: `${searchKey}-2` })
  await testSearchEndpoint(admin, { id: 'Brave' })
  expect(await searchEndpointVerbs.read(admin, { id })).toMatchObject({ secrets: ['key'] })
  const kept = await keptInClear()
  expect(kept).toContain('search-endpoint.test')
  expect(kept).not.toContain(searchKey)
  await searchEndpointVerbs.remove(admin, { id })
  expect(await db().vaultSecret.count()).toBe(0)
})

test('it is for admins', async () => {
  const id = await add(ours())
  for (const refused of [
    searchEndpointVerbs.create(member, ours({ name: 'Other' })),
    searchEndpointVerbs.update(member, { id, enabled: false }),
    searchEndpointVerbs.remove(member, { id }),
    searchEndpointVerbs.list(member, { sort: 'name' }),
    searchEndpointVerbs.read(member, { id }),
    testSearchEndpoint(member, { id }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 403 })
  }
})

test.each([
  [{ name: 'A', kind: 'searxng' }, 'address'],
  [{ name: 'A', kind: 'searxng', address: 'http://127.0.0.1:9' }, 'privateAddressAllowed'],
  [{ name: 'A', kind: 'brave' }, 'key'],
  [{ name: 'A', kind: 'tavily', key: '' }, 'key'],
  [{ name: 'A', kind: 'tavily', key: 'a\nb' }, 'key'],
  [{ name: 'A', kind: 'tavily', key: 'a', address: 'https://a.example/?key=1' }, 'address'],
  [{ name: 'A', kind: 'tavily', key: 'a', address: 'https://ada:b@a.example/' }, 'address'],
  [{ name: 'A', kind: 'brave', key: 'a', address: 'http://169.254.169.254' }, 'address'],
] as const)('%j is refused beside %s', async (values, field) => {
  expect(Object.keys(await refusedFields(add(values)))).toEqual([field])
  expect(await db().searchEndpoint.count()).toBe(0)
})

test('Brave and Tavily need no address, and a key goes to no other host than its own', async () => {
  const id = await add({ name: 'Brave', kind: 'brave', key: searchKey })
  const moved = { id, address: 'https://93.184.216.34/search' }
  expect(await refusedFields(searchEndpointVerbs.update(admin, moved))).toEqual({
    key: 'Enter the key again. The stored one is for https://api.search.brave.com only.',
  })
  await searchEndpointVerbs.update(admin, { ...moved, key: searchKey })
  const back = searchEndpointVerbs.update(admin, { id, address: null })
  expect(await refusedFields(back)).toHaveProperty('key')
})

test('tools that need one have one while one is switched on', async () => {
  const id = await add(ours())
  expect(await readPresentNeeds(db())).toContain('search-endpoint')
  await searchEndpointVerbs.update(admin, { id, enabled: false })
  expect(await readPresentNeeds(db())).not.toContain('search-endpoint')
})

test.each([
  [ours, 'It answered the query “open source software” with 1 result. The first one: Manual'],
  [brave, 'It answered the query “open source software” with 1 result. The first one: Manual'],
  [() => ours({ address: `${server.origin}/none/` }), 'with 0 results.'],
  [
    () => ours({ address: `${server.origin}/suspended` }),
    'None of its engines answered: google (CAPTCHA).',
  ],
  [() => ours({ address: `${server.origin}/html` }), 'Add json to search.formats'],
  [() => brave({ key: 'wrong' }), 'It refused the key (422). Check the key.'],
  [() => ours({ address: 'http://127.0.0.1:1' }), 'It could not be reached.'],
])('a test says what came back: %#', async (values, words) => {
  const id = await add({ ...values(), enabled: false })
  const outcome = await testSearchEndpoint(admin, { id })
  expect(outcome.words).toContain(words)
  expect(outcome.isAnswered).toBe(words.includes('result'))
})

test('a site file has it without its key, and adds what needs one switched off', async () => {
  await add(brave())
  await add(ours())
  const text = await exportSite(admin)
  const file = parseSiteFile(text)
  expect(file.searchEndpoints.map(({ name }) => name)).toEqual(['Brave', 'Ours'])
  expect(text).not.toContain(searchKey)
  expect(await planSite(admin, file)).toMatchObject({ steps: [], problems: [], notices: [] })
  await db().searchEndpoint.deleteMany()
  const { notices } = await applySite(admin, file, { reason: 'a release' })
  expect(notices.filter((each) => each.includes('search endpoint'))).toEqual([
    'The search endpoint Brave is added switched off, because a site file has no secrets: enter its key, then switch it on.',
  ])
  const { rows } = await searchEndpointVerbs.list(admin, { sort: 'name' })
  expect(rows.map(({ name, enabled }) => [name, enabled])).toEqual([
    ['Brave', false],
    ['Ours', true],
  ])
})

test('commands add, test, list and delete it', async () => {
  const { origin } = server
  const options = ['--kind', 'searxng', '--address', origin, '--private-address-allowed', 'yes']
  const added = await toolgate(['search-endpoint', 'add', 'Ours', ...options])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const tested = await toolgate(['search-endpoint', 'test', 'Ours'])
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('with 1 result') })
  expect((await toolgate(['search-endpoint', 'list'])).stdout).toMatch(
    /Ours +on +SearXNG +http:\/\/127[^ ]+ +none +allowed/,
  )
  await toolgate(['search-endpoint', 'edit', 'Ours', '--address', `${origin}/html`])
  const failed = await toolgate(['search-endpoint', 'test', 'Ours'])
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('search.formats') })
  expect((await toolgate(['search-endpoint', 'delete', 'Ours'])).code).toBe(0)
})

test('in a run, the next one by name answers, as untrusted text, and the key is in no event', async () => {
  await add(ours({ name: 'A', address: `${server.origin}/html` }))
  await add(brave({ name: 'B' }))
  const { id: runId } = await db().run.create({
    data: { userId: admin.actor.userId, status: 'running', request: {}, prompt: 'Search.' },
  })
  const tool = (await loadToolset(db())).get('web_search')
  if (!tool) throw new Error('There is no such tool.')
  const run = runFixture({
    script: [asks(['web_search', { query: 'how to begin' }]), says('Done.')],
    tools: [tool],
    subject: {
      actor: { ...admin.actor, groups: [], limitedBy: [] },
      present: new Set(['search-endpoint'] as const),
    },
    deps: { runId, after },
  })
  const state = await runAgent(runInput(), run.deps)
  const [call] = state.rounds[0]?.calls ?? []
  expect(call?.state).toMatchObject({
    outcome: { type: 'ok', content: '1. Manual\nhttps://docs.example.org/\nHow to begin.' },
  })
  const sent = JSON.stringify(run.model.calls.at(-1)?.request)
  expect(sent).toMatch(/<untrusted-[^>]+>[^<]*1\. Manual[^<]*<\/untrusted-/)
  expect(sent).not.toContain(searchKey)
  const events = JSON.stringify(run.events)
  expect(events).toContain('A: It did not answer with JSON')
  expect(events).not.toContain(searchKey)
  expect(events).not.toContain(server.origin)
  const used = await db().runWebUse.findUniqueOrThrow({ where: { runId } })
  expect(Number(used.bytes)).toBeGreaterThan(0)
  expect(Number(used.bytes)).toBeLessThan(1_000)
})
