import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { foldPanels } from '@/lib/runs/lists/fold-panels'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { type RunLine, readRunLines } from '@/lib/runs/lists/run-lines'
import { RunFilter } from '@/lib/runs/schemas'
import { addPanel } from '@/tests/support/add-panel'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const start = Date.parse('2026-03-01T10:00:00Z')
const second = (at: number) => new Date(start + at * 1_000)

let admin: Ctx
let member: Ctx
let panelId: string
let alone: string[]

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  alone = await Promise.all([1, 30].map((at) => addRun(at)))
  panelId = await addPanel(admin, [
    { name: 'Fast', began: second(10), ended: second(12), cost: 3_000 },
    {
      name: 'Slow',
      began: second(10),
      ended: second(19),
      cost: 1_000,
      endReason: 'provider-error',
    },
    { name: 'Late', began: second(16), ended: second(17), cost: 2_000 },
  ])
})

async function addRun(at: number): Promise<string> {
  const id = randomUUID()
  const { userId } = admin.actor
  const times = { createdAt: second(at), endedAt: second(at + 1), durationMs: 1_000 }
  const cost = { costMicroUsd: 2_500n, status: 'ended' as const, endReason: 'completed' }
  await db().run.create({ data: { id, userId, request: {}, prompt: 'alone', ...times, ...cost } })
  return id
}

async function shown(wishes: object, ctx = admin) {
  const filter = RunFilter.parse(wishes)
  const { rows } = await listRuns(ctx, filter)
  return foldPanels(ctx, filter, rows)
}

test('the members of a panel are one row with their number, cost, time and end, among the other runs', async () => {
  const rows = await shown({})
  expect(rows.map(({ runId }) => runId)).toEqual([alone[1], panelId, alone[0]])
  expect(rows[1]).toMatchObject({
    prompt: 'Who is who?',
    status: 'ended',
    costMicroUsd: 6_000,
    failure: null,
    createdAt: second(10).toISOString(),
    endedAt: second(19).toISOString(),
    panel: { status: 'ended', fitting: null },
  })
  expect(rows[1]).not.toHaveProperty('member')
  const names = rows[1]?.panel?.runs.map((run) => [run.member, run.endReason])
  expect(names).toEqual([
    ['Fast', 'completed'],
    ['Slow', 'provider-error'],
    ['Late', 'completed'],
  ])
})

test('a filter finds a member, and its panel says which one', async () => {
  const rows = await shown({ reason: 'provider-error' })
  expect(rows.map(({ runId, panel }) => [runId, panel?.fitting])).toEqual([[panelId, ['Slow']]])
  expect(rows[0]?.panel?.runs).toHaveLength(3)
})

test('a panel is on one page only: where the first member of the order stands', async () => {
  const pages = async (sort: string) => {
    const all = [1, 2, 3, 4, 5].map((page) => shown({ sort, pageSize: 1, page }))
    return (await Promise.all(all)).map((rows) => rows.map(({ runId }) => runId))
  }
  expect(await pages('-cost')).toEqual([[panelId], [alone[1]], [alone[0]], [], []])
  expect(await pages('cost')).toEqual([[panelId], [], [alone[1]], [alone[0]], []])
})

test('pages by key meet a panel once', async () => {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const filter = RunFilter.parse({ pageSize: 2, cursor })
    const { rows, nextCursor } = await listRuns(admin, filter)
    ids.push(...(await foldPanels(admin, filter, rows)).map(({ runId }) => runId))
    if (nextCursor === null) break
    cursor = nextCursor
  }
  expect(ids).toEqual([alone[1], panelId, alone[0]])
})

test('other people do not see a panel', async () => {
  expect(await shown({}, member)).toEqual([])
})

test('the most expensive, slowest and newest runs of an overview have a panel as one line, by its members together', async () => {
  const { dearest, slowest } = await readRunLines(admin, ['dearest', 'slowest'], second(0))
  const newest = await readRunLines(admin, ['newest'], null)
  const ids = (lines: readonly RunLine[]) =>
    lines.map(({ runId, panel }) => panel?.panelId ?? runId)
  expect(ids(dearest)).toEqual([panelId, alone[1], alone[0]])
  expect(ids(slowest)).toEqual([panelId, alone[1], alone[0]])
  expect(ids(newest.newest)).toEqual([alone[1], panelId, alone[0]])
  expect(dearest[0]).toMatchObject({
    prompt: 'Who is who?',
    costMicroUsd: 6_000,
    durationMs: 9_000,
    costBound: 'exact',
    createdAt: second(10).toISOString(),
  })
  expect(dearest[0]?.panel?.members).toHaveLength(3)
  expect((await readRunLines(member, ['newest'], null)).newest).toEqual([])
})
