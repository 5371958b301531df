import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import {
  createRunView,
  deleteRunView,
  findRunView,
  listRunViews,
  restoreRunView,
  shareRunView,
  updateRunView,
} from '@/lib/runs/lists/run-views'
import { defaultRunColumns, type ViewQuery } from '@/lib/runs/lists/view-schemas'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let other: Ctx
let ada: Ctx
let bo: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
  other = await addPerson('admin')
  ada = await addPerson('member', 'ada@example.org')
  bo = await addPerson('member', 'bo@example.org')
})

const failed: ViewQuery = { failure: 'any', minCost: 0.5, sort: '-cost' }
const columns = [...defaultRunColumns]
const missing = { status: 404, message: 'The view does not exist, or you may not see it.' }
const forbidden = { status: 403 }
const named = async (ctx: Ctx) => (await listRunViews(ctx, {})).views.map(({ name }) => name)
const save = (ctx: Ctx, name: string, more: { query?: ViewQuery; shared?: boolean } = {}) =>
  createRunView(ctx, { name, query: failed, columns, ...more })
const auditOf = async (id: string) =>
  (await db().auditEntry.findMany({ where: { objectId: id }, orderBy: { id: 'asc' } })).map(
    ({ action, actorLabel }) => [action, actorLabel],
  )

describe('a view of one’s own', () => {
  it('keeps filter, order and columns, is changed, deleted and restored, and is nobody else’s', async () => {
    const ctx = await addPerson('member')
    const view = await createRunView(ctx, {
      name: '  My   failures ',
      query: failed,
      columns: ['cost', 'id'],
    })
    expect(view).toMatchObject({
      name: 'My failures',
      query: failed,
      shared: false,
      mine: true,
      by: ctx.actor.email,
      columns: ['prompt', 'cost', 'id'],
    })
    for (const stranger of [bo, admin]) {
      expect(await named(stranger)).not.toContain('My failures')
      await expect(updateRunView(stranger, { id: view.id, name: 'x' })).rejects.toMatchObject(
        missing,
      )
      await expect(shareRunView(stranger, { id: view.id, shared: false })).rejects.toMatchObject(
        missing,
      )
      await expect(deleteRunView(stranger, { id: view.id })).rejects.toMatchObject(missing)
    }
    const query: ViewQuery = { tag: 'billing', sort: '-started' }
    await updateRunView(ctx, { id: view.id, name: 'Billing', query })
    expect((await listRunViews(ctx, {})).views).toMatchObject([{ name: 'Billing', query }])
    await deleteRunView(ctx, { id: view.id })
    expect(await named(ctx)).toEqual([])
    await expect(restoreRunView(bo, { id: view.id })).rejects.toMatchObject(missing)
    await restoreRunView(ctx, { id: view.id })
    expect(await named(ctx)).toEqual(['Billing'])
    expect(await auditOf(view.id)).toEqual([])
  })

  it('has a name of its own, in whatever case, until it is deleted', async () => {
    const ctx = await addPerson('member')
    const { id } = await save(ctx, 'Failures')
    const taken = { status: 409, fields: { name: expect.any(String) } }
    await expect(save(ctx, 'FAILURES')).rejects.toMatchObject(taken)
    await save(bo, 'Failures')
    const second = await save(ctx, 'Others')
    await expect(updateRunView(ctx, { id: second.id, name: 'failures' })).rejects.toMatchObject(
      taken,
    )
    await deleteRunView(ctx, { id })
    await save(ctx, 'Failures')
    await expect(restoreRunView(ctx, { id })).rejects.toMatchObject(taken)
  })

  it('is one of at most 50, also of those saved at once', async () => {
    const ctx = await addPerson('member')
    const { userId } = ctx.actor
    await db().runView.createMany({
      data: Array.from({ length: 48 }, (_, n) => ({
        id: newId(),
        userId,
        name: `view ${n}`,
        query: failed,
        columns,
      })),
    })
    const each = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => save(ctx, name)))
    expect(each.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await named(ctx)).toHaveLength(50)
    await db().runView.updateMany({
      where: { userId, name: 'view 1' },
      data: { deletedAt: new Date(Date.now() - 25 * 3_600_000) },
    })
    await save(ctx, 'e')
    expect(await db().runView.count({ where: { userId } })).toBe(50)
  })

  it('takes what the filter of runs takes', async () => {
    const wrong = [
      { query: { ...failed, minCost: -1 } },
      { query: { ...failed, tag: 'x'.repeat(33) } },
      { query: { ...failed, status: 'running' as const, reason: 'loop' as const } },
      { query: { ...failed, page: 2 } },
      { name: 'x'.repeat(61) },
      { name: 'All Runs' },
    ]
    for (const each of wrong) {
      const given = { name: 'Wrong', query: failed, columns, ...each }
      await expect(createRunView(ada, given)).rejects.toMatchObject({ status: 422 })
    }
    const unknown = { name: 'Wrong', query: failed, columns: ['colour'] as unknown as 'id'[] }
    await expect(createRunView(ada, unknown)).rejects.toMatchObject({ status: 422 })
  })
})

describe('a shared view', () => {
  it('is shared by admins alone, used by everybody, and audited', async () => {
    const mine = await save(ada, 'Not for all')
    await expect(shareRunView(ada, { id: mine.id, shared: true })).rejects.toMatchObject(forbidden)
    await expect(save(ada, 'For all', { shared: true })).rejects.toMatchObject(forbidden)
    const { id } = await save(admin, 'Expensive failures')
    await shareRunView(admin, { id, shared: true })
    await shareRunView(admin, { id, shared: true })
    const seen = (await listRunViews(ada, {})).views.find((view) => view.id === id)
    expect(seen).toMatchObject({ mine: false, shared: true, by: admin.actor.email, query: failed })
    await expect(updateRunView(ada, { id, name: 'x' })).rejects.toMatchObject(forbidden)
    await expect(deleteRunView(ada, { id })).rejects.toMatchObject(forbidden)
    await expect(shareRunView(ada, { id, shared: false })).rejects.toMatchObject(forbidden)
    await expect(updateRunView(other, { id, name: 'x' })).rejects.toMatchObject({ status: 409 })
    await updateRunView(admin, { id, name: 'Dear failures' })
    await deleteRunView(other, { id })
    expect(await named(ada)).not.toContain('Dear failures')
    await restoreRunView(other, { id })
    await shareRunView(other, { id, shared: false })
    expect(await named(ada)).not.toContain('Dear failures')
    expect(await named(admin)).toContain('Dear failures')
    const [me, they] = [admin.actor.email, other.actor.email]
    expect(await auditOf(id)).toEqual([
      ['run-view.share', me],
      ['run-view.update', me],
      ['run-view.delete', they],
      ['run-view.restore', they],
      ['run-view.stop-sharing', they],
    ])
  })

  it('of somebody who is no admin any more stays as it is, but can be taken back', async () => {
    const ctx = await addPerson('admin')
    const { id } = await save(ctx, 'From before', { shared: true })
    const demoted = { ...ctx, actor: { ...ctx.actor, role: 'member' as const } }
    await expect(updateRunView(demoted, { id, name: 'x' })).rejects.toMatchObject(forbidden)
    await shareRunView(demoted, { id, shared: false })
    expect(await named(ada)).not.toContain('From before')
  })
})

test('a terminal lists runs by a view, and what else it is told counts more', async () => {
  const ctx = await addPerson('admin')
  const { userId } = ctx.actor
  const add = async (source: string, costMicroUsd: number, tags: string[]) => {
    const run = { id: newId(), userId, request: {}, prompt: 'x', source, costMicroUsd, tags }
    await db().run.create({ data: run })
    return run.id
  }
  const cheap = await add('api', 1, ['viewed'])
  const dear = await add('api', 5, ['viewed'])
  const typed = await add('cli', 3, ['viewed'])
  await add('api', 9, [])
  const query = { tag: 'viewed', source: 'api', sort: '-cost' } as const
  await save(ctx, 'By API', { query })
  const say = async (...args: string[]) => {
    const { code, stdout, stderr } = await toolgate(['run', ...args, '--as', ctx.actor.email])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const listed = async (...args: string[]) =>
    JSON.parse(await say('list', ...args, '--json')).rows.map(
      ({ runId }: { runId: string }) => runId,
    )
  expect(await listed('--view', 'by api')).toEqual([dear, cheap])
  expect(await listed('--view', 'By API', '--reverse')).toEqual([cheap, dear])
  expect(await listed('--view', 'By API', '--sort', 'started')).toEqual([dear, cheap])
  expect(await listed('--view', 'By API', '--max-cost', '0.000002')).toEqual([cheap])
  expect(await listed('--view', 'By API', '--source', 'cli')).toEqual([typed])
  const exported = await say('export', '--view', 'By API', '--format', 'ndjson')
  expect(
    exported
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row).runId),
  ).toEqual([dear, cheap])
  expect(await say('views')).toMatch(
    /^NAME +OWNER +SHARED +FILTER +ID\nBy API .*tag=viewed.*sort=-cost/,
  )
  const gone = await toolgate(['run', 'list', '--view', 'nothing', '--as', ctx.actor.email])
  expect(gone.code).not.toBe(0)
  expect(gone.stderr).toContain('The view does not exist')
})

test('a shared name is asked for by its id', async () => {
  for (const ctx of [admin, other]) await save(ctx, 'Twice', { shared: true })
  await expect(findRunView(ada, 'twice')).rejects.toMatchObject({ status: 409 })
  const [view] = (await listRunViews(ada, {})).views.filter(({ name }) => name === 'Twice')
  expect(await findRunView(ada, view?.id ?? '')).toEqual(view)
  expect(await findRunView(admin, 'Twice')).toMatchObject({ mine: true })
})

test('the API lists, saves, changes and deletes views', async () => {
  const ctx = await addPerson('member')
  const key = await apiKeyOf(ctx, 'runs:read', 'runs:write')
  const json = { name: 'Mine', query: { tag: 'a' }, columns: ['id'] }
  const saved = await askApi('POST', '/run-views', { key, json })
  expect(saved.status).toBe(201)
  const { id } = await saved.json()
  const wrong = { ...json, name: 'Wrong', query: { tga: 'a' } }
  expect((await askApi('POST', '/run-views', { key, json: wrong })).status).toBe(422)
  await askApi('PATCH', `/run-views/${id}`, { key, json: { name: 'Ours' } })
  const { views } = await (await askApi('GET', '/run-views', { key })).json()
  const own = views.filter(({ mine }: { mine: boolean }) => mine)
  expect(own).toMatchObject([{ id, name: 'Ours', query: { tag: 'a', sort: '-started' } }])
  expect((await askApi('DELETE', `/run-views/${id}`, { key })).status).toBe(204)
  const reading = await apiKeyOf(ctx, 'runs:read')
  expect((await askApi('POST', '/run-views', { key: reading, json })).status).toBe(403)
})
