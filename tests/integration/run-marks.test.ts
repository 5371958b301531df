import { beforeAll, describe, expect, it, test } from 'vitest'
import { searchConsole } from '@/lib/doors/palette/search-console'
import type { Ctx } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/new-id'
import { exportRuns, RunExport } from '@/lib/runs/lists/export-runs'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { markRun, recentTags } from '@/lib/runs/mark-run'
import { readRun } from '@/lib/runs/read-run'
import { RunFilter } from '@/lib/runs/schemas'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { statementsOf } from '@/tests/support/statements-of'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let ada: Ctx
let bo: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
  ada = await addPerson('member', 'ada@example.org')
  bo = await addPerson('member', 'bo@example.org')
})

async function addRun(ctx: Ctx, prompt = 'Why?'): Promise<string> {
  const id = newId()
  const { userId } = ctx.actor
  await db().run.create({ data: { id, userId, request: { tools: null, maxRounds: 5 }, prompt } })
  return id
}

const missing = { status: 404 }
const auditOf = (runId: string) =>
  db().auditEntry.findMany({
    where: { objectId: runId },
    orderBy: { id: 'asc' },
    select: { action: true, actorLabel: true, before: true, after: true },
  })

describe('tags and the note of a run', () => {
  it('are written by its person and by admins, and the audit does not have the note', async () => {
    const runId = await addRun(ada)
    const first = await markRun(ada, {
      runId,
      addTags: ['  To   Check ', 'BILLING', 'billing'],
      note: ' The total was wrong.\r\nTwice. ',
    })
    const note = { text: 'The total was wrong.\nTwice.', by: 'ada@example.org' }
    expect(first).toMatchObject({ tags: ['to check', 'billing'], note })
    await markRun(admin, { runId, removeTags: ['To check'], addTags: ['done'] })
    expect(await readRun(ada, runId)).toMatchObject({ tags: ['billing', 'done'], note })
    const seen = { tags: ['to check', 'billing'], noteCharacters: 27 }
    expect(await auditOf(runId)).toEqual([
      {
        action: 'run.mark',
        actorLabel: 'ada@example.org',
        before: { tags: [], noteCharacters: 0 },
        after: seen,
      },
      {
        action: 'run.mark',
        actorLabel: admin.actor.email,
        before: seen,
        after: { ...seen, tags: ['billing', 'done'] },
      },
    ])
    expect(await markRun(ada, { runId, note: '' })).toMatchObject({ note: null })
  })

  it('leave no entry where nothing changed', async () => {
    const runId = await addRun(ada)
    await markRun(ada, { runId, addTags: ['one'], note: 'x' })
    await markRun(ada, { runId, addTags: ['ONE'], removeTags: ['other'], note: ' x ' })
    expect(await auditOf(runId)).toHaveLength(1)
  })

  it('of somebody else do not exist for a member', async () => {
    const runId = await addRun(ada)
    await markRun(ada, { runId, addTags: ['only-adas'] })
    await expect(markRun(bo, { runId, addTags: ['mine'] })).rejects.toMatchObject(missing)
    await expect(markRun(bo, { runId: 'nothing', note: 'x' })).rejects.toMatchObject(missing)
    expect(await recentTags(bo)).toEqual([])
    expect(await recentTags(ada)).toContain('only-adas')
    expect(await recentTags(admin)).toContain('only-adas')
  })

  it('have limits, whoever writes at once', async () => {
    const runId = await addRun(ada)
    const tags = Array.from({ length: 14 }, (_, n) => `tag ${n}`)
    const each = await Promise.allSettled(
      tags.map((tag, n) => markRun(n % 2 ? ada : admin, { runId, addTags: [tag] })),
    )
    const added = tags.filter((_, n) => each[n]?.status === 'fulfilled')
    expect(added).toHaveLength(10)
    const stored = await readRun(ada, runId)
    expect(stored.tags.toSorted()).toEqual(added.toSorted())
    await expect(markRun(ada, { runId, addTags: ['more'] })).rejects.toMatchObject({
      fields: { addTags: 'A run has at most 10 tags.' },
    })
    const [gone = ''] = added
    await markRun(ada, { runId, addTags: ['more'], removeTags: [gone] })
    for (const wrong of [
      { addTags: ['x'.repeat(33)] },
      { addTags: [' '] },
      { note: 'x'.repeat(2_001) },
    ])
      await expect(markRun(ada, { runId, ...wrong })).rejects.toMatchObject({ status: 422 })
    expect(await markRun(ada, { runId, note: 'x'.repeat(2_000) })).toMatchObject({
      note: { by: 'ada@example.org' },
    })
  })

  it('keep what is hostile as text, without what no database stores', async () => {
    const runId = await addRun(ada)
    const hostile = '<img src=x>\u202egnp.exe'
    const { tags, note } = await markRun(ada, {
      runId,
      addTags: [`${hostile}\0`],
      note: `${hostile}\u0007`,
    })
    expect({ tags, text: note?.text }).toEqual({ tags: [hostile], text: hostile })
  })

  it('go with the run, and never change its journal', async () => {
    const runId = await addRun(ada)
    const events = async () => (await readRun(ada, runId)).events
    const before = await events()
    await markRun(ada, { runId, addTags: ['short-lived'], note: 'Soon gone.' })
    expect(await events()).toEqual(before)
    await db().run.delete({ where: { id: runId } })
    expect(await recentTags(ada)).not.toContain('short-lived')
  })
})

test('a tag finds the same runs in list, export, API, terminal and palette', async () => {
  const ctx = await addPerson('member')
  const found = [await addRun(ctx, 'First'), await addRun(ctx, 'Second')]
  await addRun(ctx, 'Third')
  for (const runId of found) await markRun(ctx, { runId, addTags: ['quarter end'], note: 'Kept.' })
  await markRun(bo, { runId: await addRun(bo), addTags: ['quarter end'] })
  const newestFirst = found.toReversed()
  const { rows } = await listRuns(ctx, RunFilter.parse({ tag: ' Quarter END' }))
  expect(rows.map(({ runId }) => runId)).toEqual(newestFirst)
  expect(rows[0]).toMatchObject({ tags: ['quarter end'], note: { text: 'Kept.' } })
  let csv = ''
  for await (const piece of await exportRuns(
    ctx,
    RunExport.parse({ tag: 'quarter end', format: 'csv' }),
  ))
    csv += piece
  expect(csv.split('\r\n')[0]).toMatch(/,tags,note$/)
  expect(csv.match(/quarter end.*Kept\./g)).toHaveLength(2)
  const key = await apiKeyOf(ctx, 'runs:read')
  const answer = await (await askApi('GET', '/runs?tag=quarter%20end', { key })).json()
  expect(answer.runs.map(({ runId }: { runId: string }) => runId)).toEqual(newestFirst)
  const as = ['--as', ctx.actor.email, '--json']
  const { stdout } = await toolgate(['run', 'list', '--tag', 'quarter end', ...as])
  expect(JSON.parse(stdout).rows.map(({ runId }: { runId: string }) => runId)).toEqual(newestFirst)
  const palette = await searchConsole(ctx, 'quarter')
  const runs = palette.found.find(({ kind }) => kind === 'run')
  expect(runs?.hits.map(({ id }) => id)).toEqual(newestFirst)
})

test('a terminal and the API write them', async () => {
  const runId = await addRun(ada)
  const as = ['--as', 'ada@example.org']
  const marked = await toolgate([
    'run',
    'mark',
    runId,
    '--add-tag',
    'Late',
    'b\u202e',
    '--note',
    'Ask Bo.',
    ...as,
  ])
  expect(marked).toMatchObject({ code: 0, stderr: '' })
  expect(marked.stdout).toMatch(
    /^Tags: late, b\[U\+202E\]\nNote of ada@example.org, .*:\nAsk Bo\.\n$/,
  )
  const key = await apiKeyOf(ada, 'runs:write')
  const json = { removeTags: ['late'], note: '' }
  const answer = await askApi('PATCH', `/runs/${runId}`, { key, json })
  expect(await answer.json()).toEqual({ tags: ['b\u202e'], note: null })
  const reading = await apiKeyOf(ada, 'runs:read')
  expect((await askApi('PATCH', `/runs/${runId}`, { key: reading, json })).status).toBe(403)
})

test('a list of more runs asks as little', async () => {
  const ctx = await addPerson('member')
  const listed = () => statementsOf(() => listRuns(ctx, RunFilter.parse({ tag: 'many' })))
  const add = async (count: number) => {
    for (let n = 0; n < count; n += 1)
      await markRun(ctx, { runId: await addRun(ctx), addTags: ['many'], note: 'x' })
  }
  await add(1)
  const ofOne = (await listed()).length
  await add(20)
  expect((await listRuns(ctx, RunFilter.parse({ tag: 'many' }))).total).toBe(21)
  expect(await listed()).toHaveLength(ofOne)
})

test('the filter reads an index', async () => {
  const statements = await statementsOf(() =>
    listRuns(admin, RunFilter.parse({ tag: 'quarter end' })),
  )
  const [list] = statements.filter(({ text }) => text.includes('ORDER BY'))
  const [, , plan] = await db().$transaction([
    db().$executeRaw`SET LOCAL enable_seqscan = off`,
    db().$executeRaw`SET LOCAL enable_indexscan = off`,
    db().$queryRawUnsafe(`EXPLAIN ${list?.text}`, ...(list?.values ?? [])),
  ])
  // Two leave out the runs without tags; PostgreSQL picks by how many there are.
  expect(JSON.stringify(plan)).toMatch(/runs_(tags|tagged)_idx/)
})
