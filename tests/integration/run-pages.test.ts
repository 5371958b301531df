import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

const count = 10_060
const start = Date.parse('2026-01-01T00:00:00.000Z')
let admin: Awaited<ReturnType<typeof addPerson>>

beforeAll(async () => {
  admin = await addPerson('admin')
  // Several runs begin in the same millisecond. In one statement: the client would need seconds for so many rows.
  await db().$executeRaw`
    INSERT INTO runs (id, "userId", status, request, prompt, "createdAt")
    SELECT gen_random_uuid(), ${admin.actor.userId}::uuid, 'ended', '{}',
      CASE WHEN n % 5000 = 17 THEN 'The 100%_Needle ' ELSE 'Straw ' END || n,
      to_timestamp(${start / 1000}::float8) AT TIME ZONE 'UTC' + n / 7 * interval '1 millisecond'
    FROM generate_series(0, ${count - 1}::int) n`
})

async function readAll(wishes: object): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let pages = 1; ; pages += 1) {
    const filter = RunFilter.parse({ ...wishes, pageSize: 200, ...(cursor && { cursor }) })
    const page = await listRuns(admin, filter)
    ids.push(...page.rows.map(({ runId }) => runId))
    cursor = page.nextCursor
    if (cursor === null) return { ids, pages }
  }
}

test('every run is on one page, however far back, in both directions', async () => {
  const { ids, pages } = await readAll({})
  expect(new Set(ids).size).toBe(count)
  expect(ids).toHaveLength(count)
  expect(pages).toBe(Math.ceil(count / 200))
  const rows = await db().$queryRaw<{ id: string }[]>`
    SELECT id FROM runs ORDER BY "createdAt" DESC, id DESC`
  expect(ids).toEqual(rows.map(({ id }) => id))
  expect((await readAll({ sort: 'started' })).ids).toEqual(ids.toReversed())
})

test('runs are counted up to 10,000', async () => {
  expect(await listRuns(admin, RunFilter.parse({ pageSize: 1 }))).toMatchObject({
    total: 10_000,
    capped: true,
  })
  expect(await listRuns(admin, RunFilter.parse({ search: 'needle' }))).toMatchObject({
    total: 3,
    capped: false,
    nextCursor: null,
  })
})

test('runs of a model are counted up to 1,000, those of a tool up to 10,000', async () => {
  const { userId } = admin.actor
  const runs = await db().run.findMany({ select: { id: true }, take: 1_001 })
  const call = { callId: 'a', toolName: 'get_env', userId, outcome: 'ok', durationMs: 1 }
  await db().callRecord.createMany({ data: runs.map(({ id }) => ({ ...call, runId: id })) })
  const ofTool = await listRuns(admin, RunFilter.parse({ tool: 'get_env', pageSize: 1 }))
  expect(ofTool).toMatchObject({ total: 1_001, capped: false })
  const model = randomUUID()
  const request = {
    userId,
    modelRecordId: model,
    modelId: 'm',
    round: 1,
    latencyMs: 1,
    retries: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    estimated: false,
    fallback: false,
  }
  await db().usageRecord.createMany({ data: runs.map(({ id }) => ({ ...request, runId: id })) })
  const many = await listRuns(admin, RunFilter.parse({ model, pageSize: 1 }))
  expect(many).toMatchObject({ total: 1_000, capped: true })
  await db().usageRecord.deleteMany({ where: { runId: runs[0]?.id } })
  const all = await listRuns(admin, RunFilter.parse({ model, pageSize: 1 }))
  expect(all).toMatchObject({ total: 1_000, capped: false })
})

test('a cursor that is not there has no runs after it, and other orders have none', async () => {
  const unknown = RunFilter.parse({ cursor: randomUUID() })
  expect((await listRuns(admin, unknown)).rows).toEqual([])
  const byCost = RunFilter.parse({ sort: 'cost', cursor: randomUUID() })
  await expect(listRuns(admin, byCost)).rejects.toThrow('Use page instead.')
  expect((await listRuns(admin, RunFilter.parse({ sort: 'cost' }))).nextCursor).toBeNull()
})

test("a cursor of somebody else's run is one that is not there", async () => {
  const member = await addPerson('member')
  const { userId } = member.actor
  const own = { userId, status: 'ended' as const, request: {}, prompt: 'Own' }
  await db().run.create({ data: { ...own, createdAt: new Date(start - 1_000) } })
  const { rows: others } = await listRuns(admin, RunFilter.parse({ pageSize: 1 }))
  const after = (cursor?: string) => listRuns(member, RunFilter.parse({ cursor }))
  expect((await after()).rows).toHaveLength(1)
  expect((await after(others[0]?.runId)).rows).toEqual([])
  await db().run.deleteMany({ where: { userId } })
})

test('the search finds any part of a prompt, in and beside the index', async () => {
  const found = async (search: string) =>
    (await listRuns(admin, RunFilter.parse({ search }))).rows.map(({ prompt }) => prompt)
  const before = await found('0%_nEEd')
  expect(before).toHaveLength(3)
  await rollUpUsage({ client: db() })
  const { userId } = admin.actor
  const fresh = { userId, status: 'running' as const, request: {}, prompt: '100%_needle, new' }
  await db().run.create({ data: fresh })
  expect(await found('0%_nEEd')).toEqual(['100%_needle, new', ...before])
  expect(await found('0_needle')).toEqual([])
  const plan = await db().$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL enable_seqscan = off`
    return tx.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT id FROM runs WHERE "rolledUp" AND prompt ILIKE '%needle%'`
  })
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('runs_prompt_idx')
})
