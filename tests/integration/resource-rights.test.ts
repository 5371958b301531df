import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addGroupMember, groupVerbs, removeGroupMember } from '@/lib/domains/groups/verbs'
import { deleteAsset, restoreAsset } from '@/lib/domains/storages/asset-verbs'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { after } from '@/lib/engines/runtime/sleep'
import type { Ctx } from '@/lib/kernel/context'
import type { JsonValue, ToolError } from '@/lib/protocol/tool'
import { allowQueries, refuseQueries } from '@/lib/toolset/data-sources/queries'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { addAsset, pngHead } from '@/tests/support/assets'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { type AddedPlace, openPlaces, placeTools } from '@/tests/support/resource-places'
import { runFixture, runInput } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

let admin: Ctx
let member: Ctx
let stranger: Ctx
let groupId: string
let otherId: string
let places: Awaited<ReturnType<typeof openPlaces>>
let open: AddedPlace
let closed: AddedPlace
let off: AddedPlace

beforeAll(async () => {
  ;[admin, member, stranger] = await Promise.all([
    addPerson('admin'),
    addPerson('member'),
    addPerson('member'),
  ])
  places = await openPlaces(admin)
})
beforeEach(async () => {
  groupId = (await groupVerbs.create(admin, { name: 'Support' })).id
  otherId = (await groupVerbs.create(admin, { name: 'Others' })).id
  await addGroupMember(admin, { groupId, userId: member.actor.userId })
  await addGroupMember(admin, { groupId: otherId, userId: stranger.actor.userId })
  open = await places.add('open', [groupId])
  closed = await places.add('closed', [])
  off = await places.add('off', [groupId])
  await places.change(off, { enabled: false })
})
afterEach(async () => {
  for (const { id, querySecretId } of await db().dataSource.findMany()) {
    if (querySecretId !== null) await refuseQueries(admin, { id })
  }
  await db().dataSource.deleteMany()
  await db().site.deleteMany()
  await db().storage.deleteMany()
  await db().group.deleteMany()
})
afterAll(() => places.close())

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
    signal: new AbortController().signal,
    actor: who.actor,
    runId: await addRun(who),
    configurationId: null,
    callId: 'call',
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

const askOf = (who: Ctx, name: string, place: { name: string; uid: string }, kind?: 'look') =>
  ask(who, name, places.argsOf(name, place), kind)

const ofMembers = placeTools.filter((name) => name !== 'run_query')
const content = { content: expect.anything() }

test.each(placeTools)(
  '%s answers the same of what is closed, switched off or missing',
  async (name) => {
    if (name === 'run_query') {
      for (const { sourceId } of [open, closed, off]) await allowQueries(admin, { id: sourceId })
    }
    const none = await askOf(member, name, places.missing())
    expect(none).toMatchObject({ code: 'not-found' })
    const ofOpen = await askOf(member, name, open)
    if (ofMembers.includes(name)) expect(ofOpen).toMatchObject(content)
    else expect(ofOpen).toEqual(none)
    expect(await askOf(member, name, closed)).toEqual(none)
    expect(await askOf(member, name, off)).toEqual(none)
    const ofStranger = await askOf(stranger, name, places.missing())
    expect(ofStranger).toMatchObject({ code: 'not-found' })
    for (const place of [open, closed, off])
      expect(await askOf(stranger, name, place)).toEqual(ofStranger)
    for (const place of [open, closed])
      expect(await askOf(admin, name, place)).toMatchObject(content)
    const ofAdmin = await askOf(admin, name, places.missing())
    expect(ofAdmin).toMatchObject({ code: 'not-found' })
    expect(await askOf(admin, name, off)).toEqual(ofAdmin)
  },
)

test('a look before a write has the rights of the write, and a refused write changes nothing', async () => {
  const name = 'set_alternative_text'
  const none = await askOf(member, name, places.missing(), 'look')
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

test('a look at a record has the rights of the write, and a refused write leaves no row', async () => {
  const writes = { update_record: { now: /shoes/ }, insert_record: { now: null } }
  for (const [name, { now }] of Object.entries(writes)) {
    const none = await askOf(member, name, places.missing(), 'look')
    expect(none).toMatchObject({ code: 'not-found' })
    for (const place of [closed, off]) {
      expect(await askOf(member, name, place, 'look')).toEqual(none)
      await ask(member, name, places.argsWithBlue(name, place))
    }
    expect(await askOf(member, name, open, 'look')).toMatchObject({
      content: { now: now && expect.stringMatching(now) },
    })
  }
  expect(await places.blueThings()).toBe(0)
  await ask(member, 'insert_record', places.argsWithBlue('insert_record', open))
  expect(await places.blueThings()).toBe(1)
  await places.ask('DELETE FROM orders WHERE id > 100')
})

test('lists have what a person may use, and nothing else', async () => {
  const listed = async (who: Ctx) => {
    const schema = Object(await ask(who, 'get_schema', {})).content
    const storages = Object(await ask(who, 'list_storages', {})).content
    const files = Object(await ask(who, 'search_files', { text: 'logo' })).content
    const of = (rows: readonly Record<string, string>[] = [], key: string) => [
      ...new Set(rows.map((row) => row[key])),
    ]
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
    for (const name of placeTools) {
      if (JSON.stringify(await askOf(who, name, open)).includes('gone')) found.push(name)
    }
    return found
  }
  const shown = ['read_records', 'search_records', 'browse_folder', 'search_files']
  await places.ask('UPDATE orders SET deleted_at = NULL WHERE id = 2')
  expect(await surfacing(member)).toEqual(shown)
  await places.ask('UPDATE orders SET deleted_at = now() WHERE id = 2')
  await deleteAsset(admin, asset)
  for (const who of [member, admin]) {
    expect(await surfacing(who)).toEqual([])
    const history = (id: number) =>
      ask(who, 'get_record_history', { source: 'open', table: 'orders', key: { id } })
    expect(await history(2)).toEqual(await history(99))
    expect(await history(2)).toMatchObject({ code: 'not-found' })
    expect(await ask(who, 'list_storages', {})).toMatchObject({
      content: { storages: expect.arrayContaining([{ name: 'open', assets: 1, bytes: 24 }]) },
    })
    for (const name of ['read_asset_meta', 'set_alternative_text'])
      expect(await askOf(who, name, gone)).toEqual(await askOf(who, name, places.missing()))
  }
  await restoreAsset(admin, asset)
  expect(await askOf(member, 'read_asset_meta', gone)).toMatchObject(content)
})

describe('a right that is taken away between two calls of a run', () => {
  const userId = () => member.actor.userId
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'by leaving the group': () => removeGroupMember(admin, { groupId, userId: userId() }),
    'with the group': () => groupVerbs.remove(admin, { id: groupId }),
    'by closing it to the group': () => places.change(open, { groupIds: [otherId] }),
    'by switching it off': () => places.change(open, { enabled: false }),
    'by deleting it': () => places.remove(open),
  }

  test.each(Object.keys(ways))('counts at the next call: %s', async (way) => {
    const calls = ofMembers.map((name): [string, object] => [name, places.argsOf(name, open)])
    const further = ofMembers.map((name): [string, object] => [
      name,
      places.argsWithBlue(name, open),
    ])
    // This tests the right to the resource, not the right to call a tool.
    const offered = await Promise.all(
      ofMembers.map(async (name) => ({ ...(await requireTool(name)), requiresAdmin: false })),
    )
    const switchedOn = { enabled: true, reason: '', changedBy: 'A', changedAt: 0 }
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
        overrides: new Map(ofMembers.map((name) => [name, switchedOn])),
        toolApprovals: new Map(ofMembers.map((name) => [name, false])),
      },
      deps: { runId: await addRun(member), after },
    })
    const { rounds } = await runAgent(runInput({ actor: member.actor }), run.deps)
    const ended = (round: number) =>
      rounds[round]?.calls.map(({ name, state }) => [
        name,
        state.type === 'ended' ? state.outcome : null,
      ])
    const all = (outcome: object) => ofMembers.map((name) => [name, outcome])
    expect(ended(0)).toMatchObject(all({ type: 'ok' }))
    expect(ended(1)).toMatchObject(all({ type: 'failed', code: 'not-found' }))
    expect(await places.blueThings()).toBe(0)
  })
})
