import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import { checkSite } from '@/lib/probes/check-site'
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
import { toolgate } from '@/tests/support/toolgate-process'
import { type Served, sends, startWebServer } from '@/tests/support/web-server'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let groupId: string
let server: Awaited<ReturnType<typeof startWebServer>>
const html = (text: string) => sends(text, { 'content-type': 'text/html' })
const broken: Served = (_request, response) => response.writeHead(500).end('Broken.')

beforeAll(async () => {
  ;[admin, member, stranger] = await Promise.all([
    addPerson('admin'),
    addPerson('member'),
    addPerson('member'),
  ])
  groupId = (await groupVerbs.create(admin, { name: 'Readers' })).id
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
  server = await startWebServer({
    '/docs/': html('<title>Start</title><p>Words. <a href="a">a</a>'),
    '/docs/a': html('<title>A</title><a href="/docs/">Start</a>'),
    '/docs/broken': broken,
  })
})
afterEach(async () => {
  await db().site.deleteMany()
})
afterAll(() => server.close())

type Values = Parameters<typeof siteVerbs.create>[1]
const docs = (more: Partial<Values> = {}): Values => ({
  name: 'docs',
  address: `${server.origin}/docs/`,
  privateAddressAllowed: true,
  groupIds: [groupId],
  ...more,
})
const add = async (more: Partial<Values> = {}) => (await siteVerbs.create(admin, docs(more))).id

async function addRun({ actor }: Ctx): Promise<string> {
  const { id } = await db().run.create({
    data: { userId: actor.userId, status: 'running', request: {}, prompt: 'Read.' },
  })
  return id
}

async function call(ctx: Ctx, name: string, args: object) {
  const tool = (await loadToolset(db())).get(name)
  const parsed = tool?.parse(args)
  if (!tool || !parsed?.ok) throw new Error('The call is not valid.')
  const context = {
    signal: new AbortController().signal,
    actor: ctx.actor,
    runId: await addRun(ctx),
    configurationId: null,
    callId: 'call',
  }
  return Object((await tool.execute(parsed.args, context)).content)
}

test('is for admins to change; others read it where one of their groups may, while it is on', async () => {
  const id = await add()
  for (const refused of [
    siteVerbs.create(member, docs({ name: 'mine' })),
    siteVerbs.update(member, { id, note: 'mine' }),
    siteVerbs.list(member, { sort: 'name' }),
    siteVerbs.read(member, { id }),
    siteVerbs.remove(member, { id }),
    checkSite(member, { id }),
  ]) {
    await expect(refused).rejects.toMatchObject({ status: 403 })
  }
  const url = `${server.origin}/docs/`
  const tree = (ctx: Ctx) => call(ctx, 'get_page_tree', { site: 'docs' })
  const page = (ctx: Ctx) => call(ctx, 'get_page_content', { url })
  for (const ctx of [admin, member]) {
    expect(await tree(ctx)).toMatchObject({ from: 'links', pages: 2 })
    expect(await page(ctx)).toMatchObject({ title: 'Start', links: 1 })
  }
  const missing = [
    'Site not found or not permitted. There is none that you may use.',
    'This is no page of a site that you may use. There is none that you may use.',
  ]
  const refusals = async (ctx: Ctx) => {
    const messages = [tree(ctx), page(ctx)].map((each) =>
      each.then(
        () => 'read',
        ({ message }: Error) => message,
      ),
    )
    return Promise.all(messages)
  }
  expect(await refusals(stranger)).toEqual(missing)
  await siteVerbs.update(admin, { id, groupIds: [] })
  expect(await refusals(member)).toEqual(missing)
  expect(await page(admin)).toMatchObject({ title: 'Start' })
  expect(await readPresentNeeds(db())).toContain('site')
  await siteVerbs.update(admin, { id, enabled: false })
  expect(await refusals(admin)).toEqual(missing)
  expect(await readPresentNeeds(db())).not.toContain('site')
})

test('its host need not be listed, and is not opened to fetch_url', async () => {
  await add()
  expect(await db().host.count()).toBe(0)
  await expect(call(admin, 'fetch_url', { url: `${server.origin}/docs/` })).rejects.toMatchObject({
    code: 'host-not-listed',
  })
})

test.each([
  [{ address: 'example.org' }, 'address'],
  [{ address: 'https://example.org/?page=1' }, 'address'],
  [{ address: 'https://ada:b@example.org/' }, 'address'],
  [{ address: 'http://169.254.169.254/' }, 'address'],
  [{ address: 'http://93.184.216.34/', privateAddressAllowed: false }, 'address'],
  [{ privateAddressAllowed: false }, 'privateAddressAllowed'],
  [{ sitemap: 'https://example.org/sitemap.xml' }, 'sitemap'],
  [{ name: 'My docs' }, 'name'],
] as const)('%j is refused beside %s', async (values, field) => {
  expect(Object.keys(await refusedFields(add(values)))).toEqual([field])
  expect(await db().site.count()).toBe(0)
})

test('the sitemap is checked again when the address or the permission for private addresses changes', async () => {
  const id = await add({ sitemap: `${server.origin}/map.xml` })
  const update = (values: object) => refusedFields(siteVerbs.update(admin, { id, ...values }))
  expect(await update({ address: 'https://93.184.216.34/' })).toHaveProperty('sitemap')
  expect(await update({ privateAddressAllowed: false })).toHaveProperty('privateAddressAllowed')
  await siteVerbs.update(admin, { id, address: 'https://93.184.216.34/docs/', sitemap: null })
  expect(await siteVerbs.read(admin, { id: 'docs' })).toMatchObject({ sitemap: null })
})

test('a check says what it found and is kept, and the audit says that it was made', async () => {
  const id = await add({ enabled: false })
  expect(await siteVerbs.read(admin, { id })).toMatchObject({ lastCheck: null })
  const { pages, words } = await checkSite(admin, { id: 'docs' })
  expect([pages, words]).toEqual([
    2,
    expect.stringMatching(/^Found 2 pages within .*, from links that begin at its start page\.$/),
  ])
  expect(await siteVerbs.read(admin, { id })).toMatchObject({
    lastCheck: { pages: 2, source: 'links that begin at its start page', trouble: null },
  })
  await siteVerbs.update(admin, { id, address: `${server.origin}/none/`, crawl: false })
  expect(await checkSite(admin, { id })).toEqual({
    pages: 0,
    words: 'No page was found. It has no sitemap, and its links are not followed.',
  })
  const { updatedAt, lastCheck } = await siteVerbs.read(admin, { id })
  expect(lastCheck).toMatchObject({ pages: 0, source: null })
  expect(Date.parse(lastCheck?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(updatedAt))
  expect(await db().auditEntry.count({ where: { action: 'site.check', objectId: id } })).toBe(2)
})

test('probe_url adds what the log has of that moment, and is for admins', async () => {
  await add()
  const entries = [
    { level: 'error', message: 'The page failed with password=hunter2hunter2', at: new Date() },
    { level: 'info', message: 'The page was asked', at: new Date() },
    { level: 'error', message: 'Long before', at: new Date(Date.now() - 60_000) },
  ]
  await db().logEntry.createMany({ data: entries.map((each) => ({ ...each, source: 'engine' })) })
  const answer = await call(admin, 'probe_url', { url: `${server.origin}/docs/broken` })
  expect(answer).toMatchObject({ status: 500, body: 'Broken.' })
  const lines = answer.log.map(({ level, message }: Record<string, string>) => [level, message])
  expect(lines).toEqual([['error', 'The page failed with password=[redacted]']])
  expect((await loadToolset(db())).get('probe_url')?.requiresAdmin).toBe(true)
})

test('a site file has it, with the names of its groups', async () => {
  await add({ note: 'Manuals' })
  const file = parseSiteFile(await exportSite(admin))
  expect(file.sites).toEqual([
    {
      name: 'docs',
      address: `${server.origin}/docs/`,
      sitemap: null,
      crawl: true,
      privateAddressAllowed: true,
      groups: ['Readers'],
      note: 'Manuals',
      enabled: true,
    },
  ])
  expect(await planSite(admin, file)).toMatchObject({ steps: [], problems: [] })
  await db().site.deleteMany()
  await applySite(admin, file, { reason: 'a release' })
  expect((await siteVerbs.list(admin, { sort: 'name' })).rows).toMatchObject([
    { name: 'docs', groups: [{ name: 'Readers' }] },
  ])
})

test('commands add, check, list and delete it', async () => {
  const options = ['--address', `${server.origin}/docs/`, '--private-address-allowed', 'yes']
  const added = await toolgate(['site', 'add', 'docs', ...options, '--group', 'Readers'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(await toolgate(['site', 'check', 'docs'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Found 2 pages'),
  })
  expect((await toolgate(['site', 'list'])).stdout).toMatch(
    /docs +on +http:\/\/127[^ ]+ +2 +Readers/,
  )
  await toolgate(['site', 'edit', 'docs', '--address', `${server.origin}/none/`])
  expect(await toolgate(['site', 'check', 'docs'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('No page was found.'),
  })
  expect((await toolgate(['site', 'delete', 'docs'])).code).toBe(0)
})

test('in a run, a page is untrusted text that the run pays', async () => {
  await add()
  const runId = await addRun(member)
  const tool = (await loadToolset(db())).get('get_page_content')
  if (!tool) throw new Error('There is no such tool.')
  const run = runFixture({
    script: [asks(['get_page_content', { url: `${server.origin}/docs/` }]), says('Done.')],
    tools: [tool],
    subject: {
      actor: { ...member.actor, groups: [], limitedBy: [] },
      present: new Set(['site'] as const),
    },
    deps: { runId, after },
  })
  await runAgent(runInput(), run.deps)
  const sent = JSON.stringify(run.model.calls.at(-1)?.request)
  expect(sent).toMatch(/<untrusted-[^>]+>[^<]*Words\.[^<]*<\/untrusted-/)
  const used = await db().runWebUse.findUniqueOrThrow({ where: { runId } })
  expect(Number(used.bytes)).toBeGreaterThan(0)
  expect(used.hosts).toEqual([new URL(server.origin).host])
})
