import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { siteVerbs } from '@/lib/domains/sites/verbs'
import { deleteAsset, restoreAsset } from '@/lib/domains/storages/asset-verbs'
import { storageVerbs } from '@/lib/domains/storages/verbs'
import { after } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import type { JsonValue, ToolError } from '@/lib/protocol/tool'
import { openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { loadToolset } from '@/lib/toolset/load-toolset'
import { addAsset, pngHead } from '../support/assets'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'
import { runFixture, runInput } from '../support/run-fixture'
import { asks, says } from '../support/scripted-model'
import { createShop } from '../support/shop-database'
import { sends, startWebServer } from '../support/web-server'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let groupId: string
let otherId: string
let shop: Awaited<ReturnType<typeof createShop>>
let web: Awaited<ReturnType<typeof startWebServer>>

/** A data source, a site and a storage that are called the same, and an asset. */
type Place = { name: string; uid: string }
type Added = Place & { sourceId: string; siteId: string; storageId: string }
let open: Added
let closed: Added
let off: Added
const missing = (): Place => ({ name: 'missing', uid: newId() })

beforeAll(async () => {
  ;[admin, member, stranger] = await Promise.all([
    addPerson('admin'),
    addPerson('member'),
    addPerson('member'),
  ])
  shop = await createShop('_resource_rights')
  await shop.ask(`INSERT INTO orders (id, customer, status, note, deleted_at) VALUES
    (1, 'ada', 'open', 'blue shoes', NULL), (2, 'bob', 'open', 'shoes that are gone', now())`)
  const page = sends('<title>Start</title><p>Words.</p>', { 'content-type': 'text/html' })
  web = await startWebServer({ '/open/': page, '/closed/': page, '/off/': page })
})
beforeEach(async () => {
  groupId = (await groupVerbs.create(admin, { name: 'Support' })).id
  otherId = (await groupVerbs.create(admin, { name: 'Others' })).id
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
  await addGroupMember(admin, { groupId: otherId, userId: stranger.actor.userId })
  open = await addPlace('open', [groupId])
  closed = await addPlace('closed', [])
  off = await addPlace('off', [groupId])
  await changeAll(off, { enabled: false })
})
afterEach(async () => {
  await db().dataSource.deleteMany()
  await db().site.deleteMany()
  await db().storage.deleteMany()
  await db().group.deleteMany()
})
afterAll(async () => {
  await shop.close()
  await web.close()
})

async function addPlace(name: string, groupIds: string[]): Promise<Added> {
  const shared = { name, groupIds }
  const { id: sourceId } = await dataSourceVerbs.create(admin, {
    ...{ ...shared, kind: 'postgresql', address: shop.address, privateAddressAllowed: true },
  })
  await openTable(admin, {
    ...{ id: sourceId, schema: 'public', name: 'orders', columns: ['id', 'status', 'note'] },
  })
  const { id: siteId } = await siteVerbs.create(admin, {
    ...{ ...shared, address: `${web.origin}/${name}/`, privateAddressAllowed: true },
  })
  const { id: storageId } = await storageVerbs.create(admin, shared)
  const { uid } = await addAsset(admin, pngHead(), { storageId, path: 'logo.png' })
  return { name, uid, sourceId, siteId, storageId }
}

async function changeAll(
  { sourceId, siteId, storageId }: Added,
  values: { enabled?: boolean; groupIds?: string[] },
): Promise<void> {
  await dataSourceVerbs.update(admin, { id: sourceId, ...values })
  await siteVerbs.update(admin, { id: siteId, ...values })
  await storageVerbs.update(admin, { id: storageId, ...values })
}

async function removeAll({ sourceId, siteId, storageId }: Added): Promise<void> {
  await dataSourceVerbs.remove(admin, { id: sourceId })
  await siteVerbs.remove(admin, { id: siteId })
  await storageVerbs.remove(admin, { id: storageId })
}

const pageOf = ({ name }: Place) => ({ url: `${web.origin}/${name}/` })

/** Each tool with the arguments that name a thing of this place. */
const tools: Readonly<Record<string, (place: Place) => object>> = {
  get_schema: ({ name }) => ({ source: name }),
  read_records: ({ name }) => ({ source: name, table: 'orders' }),
  search_records: ({ name }) => ({ source: name, table: 'orders', text: 'shoes' }),
  get_page_tree: ({ name }) => ({ site: name }),
  get_page_content: pageOf,
  probe_url: pageOf,
  browse_folder: ({ name }) => ({ storage: name }),
  search_files: ({ name }) => ({ storage: name, text: 'logo' }),
  read_asset_meta: ({ uid }) => ({ uid }),
  set_alternative_text: ({ uid }) => ({ uid, text: 'A red circle.' }),
}
const names = Object.keys(tools)
const argsOf = (name: string, place: Place) => tools[name]?.(place) ?? {}

async function requireTool(name: string) {
  const tool = (await loadToolset(db())).get(name)
  if (!tool) throw new Error(`There is no tool ${name}.`)
  return tool
}

async function addRun({ actor }: Ctx): Promise<string> {
  const { id } = await db().run.create({
    data: { userId: actor.userId, status: 'running', request: {}, prompt: 'Look.' },
  })
  return id
}

type Answer = { content: JsonValue } | { code: string; message: string }

/** Returns what this person's call is answered, or with `look`, what a preview of it is. */
async function ask(who: Ctx, name: string, args: object, kind: 'call' | 'look' = 'call') {
  const tool = await requireTool(name)
  const parsed = tool.parse(args)
  if (!parsed.ok) throw new Error(parsed.issues.join(' '))
  const context = {
    ...{ signal: new AbortController().signal, actor: who.actor, runId: await addRun(who) },
    ...{ configurationId: null, callId: 'call' },
  }
  const work = async (): Promise<JsonValue> =>
    kind === 'call'
      ? (await tool.execute(parsed.args, context)).content
      : ((await tool.look?.read(parsed.args, context)) ?? null)
  return work().then(
    (content): Answer => ({ content }),
    ({ code, message }: ToolError): Answer => ({ code, message }),
  )
}

const askOf = (who: Ctx, name: string, place: Place, kind?: 'look') =>
  ask(who, name, argsOf(name, place), kind)

const content = { content: expect.anything() }

test.each(names)('%s answers the same of what is closed, switched off or missing', async (name) => {
  expect(await askOf(member, name, open)).toMatchObject(content)
  const none = await askOf(member, name, missing())
  expect(none).toMatchObject({ code: 'not-found' })
  expect(await askOf(member, name, closed)).toEqual(none)
  expect(await askOf(member, name, off)).toEqual(none)
  const ofStranger = await askOf(stranger, name, missing())
  expect(ofStranger).toMatchObject({ code: 'not-found' })
  for (const place of [open, closed, off])
    expect(await askOf(stranger, name, place)).toEqual(ofStranger)
  for (const place of [open, closed]) expect(await askOf(admin, name, place)).toMatchObject(content)
  const ofAdmin = await askOf(admin, name, missing())
  expect(ofAdmin).toMatchObject({ code: 'not-found' })
  expect(await askOf(admin, name, off)).toEqual(ofAdmin)
})

test('a look before a write has the rights of the write, and a refused write changes nothing', async () => {
  const name = 'set_alternative_text'
  const none = await askOf(member, name, missing(), 'look')
  expect(none).toMatchObject({ code: 'not-found' })
  for (const place of [closed, off]) {
    expect(await askOf(member, name, place, 'look')).toEqual(none)
    await askOf(member, name, place)
  }
  expect(await askOf(member, name, open, 'look')).toEqual({ content: null })
  await askOf(member, name, open)
  expect(await askOf(member, name, open, 'look')).toEqual({ content: 'A red circle.' })
  const described = await db().asset.findMany({ where: { alternativeText: { not: '' } } })
  expect(described.map(({ uid }) => uid)).toEqual([open.uid])
})

test('lists have what a person may use, and nothing else', async () => {
  const listed = async (who: Ctx) => {
    const schema = Object(await ask(who, 'get_schema', {})).content
    const storages = Object(await ask(who, 'list_storages', {})).content
    const files = Object(await ask(who, 'search_files', { text: 'logo' })).content
    const of = (rows: readonly Record<string, string>[] = [], key: string) =>
      rows.map((row) => row[key])
    return [
      of(schema?.tables, 'source'),
      of(storages?.storages, 'name'),
      of(files?.assets, 'storage'),
    ]
  }
  expect(await listed(member)).toEqual([['open'], ['open'], ['open']])
  expect(await listed(stranger)).toEqual([[], [], []])
  const all = ['closed', 'open']
  expect(await listed(admin)).toEqual([all, all, all])
})

test('deleted rows and assets never surface, for nobody', async () => {
  const place = { storageId: open.storageId, path: 'gone-logo.png' }
  const gone = { name: 'open', uid: (await addAsset(admin, pngHead(), place)).uid }
  const asset = { storageId: open.storageId, uid: gone.uid }
  const surfacing = async (who: Ctx) => {
    const found: string[] = []
    for (const name of names) {
      if (JSON.stringify(await askOf(who, name, open)).includes('gone')) found.push(name)
    }
    return found
  }
  const shown = ['read_records', 'search_records', 'browse_folder', 'search_files']
  await shop.ask('UPDATE orders SET deleted_at = NULL WHERE id = 2')
  expect(await surfacing(member)).toEqual(shown)
  await shop.ask('UPDATE orders SET deleted_at = now() WHERE id = 2')
  await deleteAsset(admin, asset)
  for (const who of [member, admin]) {
    expect(await surfacing(who)).toEqual([])
    expect(await ask(who, 'list_storages', {})).toMatchObject({
      content: { storages: expect.arrayContaining([{ name: 'open', assets: 1, bytes: 24 }]) },
    })
    for (const name of ['read_asset_meta', 'set_alternative_text'])
      expect(await askOf(who, name, gone)).toEqual(await askOf(who, name, missing()))
  }
  await restoreAsset(admin, asset)
  expect(await askOf(member, 'read_asset_meta', gone)).toMatchObject(content)
})

describe('a right that is taken away between two calls of a run', () => {
  const userId = () => member.actor.userId
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'by leaving the group': () => removeGroupMember(admin, { groupId, userId: userId() }),
    'with the group': () => groupVerbs.remove(admin, { id: groupId }),
    'by closing it to the group': () => changeAll(open, { groupIds: [otherId] }),
    'by switching it off': () => changeAll(open, { enabled: false }),
    'by deleting it': () => removeAll(open),
  }

  test.each(Object.keys(ways))('counts at the next call: %s', async (way) => {
    const calls = names.map((name): [string, object] => [name, argsOf(name, open)])
    const further = calls.map(([name, args]): [string, object] => [
      name,
      name === 'set_alternative_text' ? { ...args, text: 'A blue circle.' } : args,
    ])
    // What is asked here is the right to the resource, not who may call a tool.
    const offered = await Promise.all(
      names.map(async (name) => ({ ...(await requireTool(name)), requiresAdmin: false })),
    )
    const write = 'set_alternative_text'
    const run = runFixture({
      script: [
        asks(...calls),
        async function* () {
          await ways[way]?.()
          yield* asks(...further)
        },
        says('Done.'),
      ],
      tools: offered,
      subject: {
        actor: { ...member.actor, groups: [], limitedBy: [] },
        present: new Set(['data-source', 'site', 'storage'] as const),
        overrides: new Map([[write, { enabled: true, reason: '', changedBy: 'A', changedAt: 0 }]]),
      },
      deps: { runId: await addRun(member), after },
    })
    const { rounds } = await runAgent(runInput({ actor: member.actor }), run.deps)
    const ended = (round: number) =>
      rounds[round]?.calls.map(({ name, state }) => [
        name,
        state.type === 'ended' ? state.outcome : null,
      ])
    const all = (outcome: object) => names.map((name) => [name, outcome])
    expect(ended(0)).toMatchObject(all({ type: 'ok' }))
    expect(ended(1)).toMatchObject(all({ type: 'failed', code: 'not-found' }))
    const blue = await db().asset.count({ where: { alternativeText: 'A blue circle.' } })
    expect(blue).toBe(0)
  })
})
