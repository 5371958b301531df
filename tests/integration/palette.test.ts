import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as paletteRoute from '@/app/api/palette/route'
import { channelVerbs } from '@/lib/domains/channels/verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { hostVerbs } from '@/lib/domains/hosts/verbs'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { searchConsole } from '@/lib/doors/palette/search-console'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { PaletteKind } from '@/lib/protocol/palette'
import { scheduleVerbs } from '@/lib/toolset/schedules/verbs'
import { addLocalModel } from '@/tests/support/add-local-model'
import { apiKeyOf, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const hostile = '<img src=x onerror=alert(1)> \u202e%_\\'
let admin: Ctx
let member: Ctx
let stranger: Ctx
let modelId: string
const ids = { open: '', closed: '', mine: '', theirs: '' }

beforeAll(async () => {
  admin = await addPerson('admin', 'palette-admin@example.org')
  member = await addPerson('member', 'palette-member@example.org')
  stranger = await addPerson('member', 'palette-stranger@example.org')
  modelId = await addLocalModel(admin, {
    wire: 'openai',
    connectionName: 'Quay provider',
    url: 'http://127.0.0.1:9',
  })
  const group = await groupVerbs.create(admin, { name: 'Quay group' })
  await addGroupMember(admin, { groupId: group.id, userId: member.actor.userId })
  const add = (identifier: string, groupIds: string[]) =>
    createConfiguration(admin, { identifier, name: `Quay ${identifier}`, modelId, groupIds })
  ids.open = (await add('quay-open', [group.id])).id
  ids.closed = (await add('quay-closed', [])).id
  for (const [identifier, configurationId] of [
    ['quay-task-open', ids.open],
    ['quay-task-closed', ids.closed],
  ] as const) {
    await taskVerbs.create(admin, {
      identifier,
      name: `Quay ${identifier}`,
      prompt: 'Say hello.',
      configurationId,
    })
  }
  await scheduleVerbs.create(admin, {
    name: 'Quay nightly',
    cron: '0 3 * * *',
    configurationId: ids.open,
    prompt: 'Hello.',
  })
  await channelVerbs.create(admin, {
    name: 'Quay watch',
    kind: 'slack',
    address: 'https://93.184.216.34/hidden',
  })
  await approvalRuleVerbs.create(admin, { name: 'Quay logs', toolName: 'fetch_logs' })
  ids.mine = await addRun(member, 'Count the cranes at the quay')
  ids.theirs = await addRun(stranger, `Which cranes are at the quay? ${hostile}`)
})

async function addRun(ctx: Ctx, prompt: string): Promise<string> {
  const { userId } = ctx.actor
  const data = { userId, prompt, configurationId: ids.open, request: {}, status: 'ended' as const }
  return (await db().run.create({ data })).id
}

async function hits(ctx: Ctx, query: string, kind: PaletteKind): Promise<string[]> {
  const { found } = await searchConsole(ctx, query)
  return found.filter((each) => each.kind === kind).flatMap((each) => each.hits.map(({ id }) => id))
}

describe('an admin finds', () => {
  test.each([
    ['run', 'cranes QUAY count'],
    ['configuration', 'quay open'],
    ['task', 'task quay-task-open'],
    ['schedule', 'schedule quay nightly'],
    ['channel', 'channel quay watch'],
    ['approval-rule', 'rule quay logs'],
    ['person', 'user palette-member'],
    ['group', 'quay group'],
    ['connection', 'quay provider'],
    ['model', 'test-model'],
  ] as const)('a %s by %j', async (kind, query) => {
    expect(await hits(admin, query, kind)).toHaveLength(1)
  })

  test('an object of a plain noun by its name and by what a search of its list looks at', async () => {
    const host = { name: 'https://quay.example', note: 'Quay manuals' }
    const { id } = await hostVerbs.create(admin, host)
    const hit = { id, title: host.name, hint: host.note, href: `/resources/hosts/${id}` }
    for (const query of ['host quay.example', 'quay manuals', id])
      expect((await searchConsole(admin, query)).found).toContainEqual({
        kind: 'host',
        hits: [hit],
        more: false,
      })
  })

  test('a run by its id, whole or begun, and by nothing that is none', async () => {
    expect(await hits(admin, ids.theirs, 'run')).toEqual([ids.theirs])
    expect(await hits(admin, ids.theirs.toUpperCase().slice(0, 20), 'run')).toContain(ids.theirs)
    expect(await hits(admin, randomUUID(), 'run')).toEqual([])
    expect(await hits(admin, ids.open, 'configuration')).toEqual([ids.open])
  })

  test('conversations by the name, or by the first prompt of one without a name, and opens the newest turn', async () => {
    const first = await addRun(member, 'Where do the pilots live?')
    const conversation = { id: first, userId: member.actor.userId, createdAt: new Date() }
    await db().conversation.create({ data: { ...conversation, lastAt: new Date() } })
    const newest = await addRun(member, 'And their boats?')
    await db().run.update({ where: { id: newest }, data: { conversationId: first } })
    const found = async (ctx: Ctx, query: string) =>
      (await searchConsole(ctx, query)).found
        .filter(({ kind }) => kind === 'conversation')
        .flatMap((each) => each.hits)
    const hit = { id: first, title: 'Where do the pilots live?', href: `/runs/${newest}` }
    expect(await found(member, 'conversation pilots')).toEqual([{ ...hit, hint: '' }])
    expect(await found(admin, 'pilots live')).toEqual([{ ...hit, hint: member.actor.email }])
    expect(await found(stranger, 'pilots')).toEqual([])
    await db().conversation.update({
      where: { id: first },
      data: { title: 'Harbour', archivedAt: new Date() },
    })
    expect(await found(member, 'pilots')).toEqual([])
    expect(await found(member, 'harbour')).toMatchObject([{ title: 'Harbour', hint: 'archived' }])
    await db().conversation.update({ where: { id: first }, data: { deletedAt: new Date() } })
    expect(await found(member, 'harbour')).toEqual([])
  })

  test('text with the signs of patterns as it is', async () => {
    expect(await hits(admin, '%_\\', 'run')).toEqual([ids.theirs])
    expect(await hits(admin, 'c_anes', 'run')).toEqual([])
  })

  test('tools with their switch, by name and by what is done with them', async () => {
    const { tools } = await searchConsole(admin, 'switch off get_env')
    expect(tools.map(({ name }) => name)).toEqual(['get_env', 'get_env_raw'])
  })

  test('at most six of a kind, and that there are more', async () => {
    for (let count = 0; count < 8; count += 1) await addRun(admin, `Dredge berth ${count}`)
    const { found } = await searchConsole(admin, 'dredge')
    expect(found).toMatchObject([{ kind: 'run', more: true }])
    expect(found[0]?.hits).toHaveLength(6)
  })
})

describe('a member finds', () => {
  test('their own runs, and what is open to them, and nothing else', async () => {
    const { found, runnable, tools } = await searchConsole(member, 'quay')
    expect(found.map(({ kind, hits }) => [kind, hits.map(({ id }) => id)])).toEqual([
      ['run', [ids.mine]],
      ['configuration', [ids.open]],
    ])
    expect(found[1]?.hits[0]?.href).toBe(`/playground?configuration=${ids.open}`)
    expect(runnable.map(({ hint }) => hint)).toEqual(['quay-task-open'])
    expect(tools).toEqual([])
    expect(JSON.stringify(found)).not.toContain('@example.org')
  })

  test.each([
    ['a run of somebody else', () => ids.theirs],
    ['a configuration of no group of theirs', () => ids.closed],
    ['a model', () => modelId],
    ['a person', () => admin.actor.userId],
    ['words that admins find', () => 'palette-admin'],
    ['tools', () => 'get_env'],
  ])('not %s', async (_what, query) => {
    expect(await searchConsole(member, query())).toEqual({ found: [], runnable: [], tools: [] })
  })
})

test('before anything is typed: the newest runs, and what can be run', async () => {
  const { found, runnable, tools } = await searchConsole(member, ' ')
  expect(found.map(({ kind }) => kind)).toEqual(['run'])
  expect(runnable.map(({ hint }) => hint)).toEqual(['quay-task-open'])
  expect(tools).toEqual([])
})

test('the route is for people who are signed in', async () => {
  const address = '/api/palette?q=quay'
  expect((await ask(paletteRoute.GET, 'GET', address)).status).toBe(401)
  const key = await apiKeyOf(admin, 'runs:read')
  expect((await ask(paletteRoute.GET, 'GET', address, { key })).status).toBe(403)
})
