import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endWords } from '@/components/trace/end-words'
import { rollUpUsage } from '@/lib/domains/usage/usage-rows'
import { migrate } from '@/lib/installation/migrate'
import { EndReason } from '@/lib/protocol/run/run-event'
import type { Engine } from '@/lib/runs/engine/engine'
import { recentTools } from '@/lib/runs/lists/find-runs'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import { databaseBefore } from '@/tests/support/database-before'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { statementsOf } from '@/tests/support/statements-of'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

let engine: Engine
let server: ModelServer

beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

test('runs from before are found by what their calls were, and stay in the sums of usage', async () => {
  const { database, client } = await databaseBefore('call_facts')
  const [user, run, empty] = [randomUUID(), randomUUID(), randomUUID()]
  await client.query(
    `INSERT INTO users (id, email, name, role, "updatedAt") VALUES ($1, 'a@example.org', 'A', 'admin', now())`,
    [user],
  )
  await client.query(
    `INSERT INTO runs (id, "userId", status, request, prompt) VALUES ($2, $1, 'ended', '{}', 'p'), ($3, $1, 'ended', '{}', 'p')`,
    [user, run, empty],
  )
  await client.query(
    `INSERT INTO call_records ("runId", "callId", "toolName", "userId", outcome, "durationMs") VALUES
       ($2, 'a', 'get_env', $1, 'ok', 1), ($2, 'b', 'get_env', $1, 'denied', 0), ($2, 'c', 'echo', $1, 'invalid-arguments', 0)`,
    [user, run],
  )
  const refused = { callId: 'b', outcome: { type: 'denied', gate: 'role', reason: 'r' } }
  await client.query(
    `INSERT INTO run_events ("runId", seq, type, data) VALUES ($1, 1, 'call-end', $2)`,
    [run, JSON.stringify(refused)],
  )
  await client.query(`UPDATE runs SET "callsRolledUp" = true`)
  await client.query(`SELECT roll_up_calls(ARRAY[$1]::uuid[], 1)`, [run])
  await migrate(database.url)
  const { rows } = await client.query(
    `SELECT id, failed, "callFacts", "callsRolledUp" FROM runs ORDER BY "callFacts" = '{}'`,
  )
  const facts = [
    'gate:role',
    'gate:role tool:get_env',
    'outcome:denied',
    'outcome:denied tool:get_env',
    'outcome:done',
    'outcome:done tool:get_env',
    'outcome:failed',
    'outcome:failed tool:echo',
    'tool:echo',
    'tool:get_env',
  ]
  expect(
    rows.map(({ callFacts, ...row }) => ({ ...row, callFacts: callFacts.toSorted() })),
  ).toEqual([
    { id: run, failed: true, callFacts: facts, callsRolledUp: true },
    { id: empty, failed: false, callFacts: [], callsRolledUp: true },
  ])
  await client.end()
  await database.drop()
})

test('a run is found by what one of its calls was, and says how its calls ended', async () => {
  const site = await addRunSite(server.url)
  const prompt =
    '[[call no_such_tool {}]] [[call list_groups {"a":1}]] [[call list_groups {}]] [[then]] [[say: Done.]]'
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId)
  const user = site.admin.actor.userId
  const found = async (filter: object) =>
    (await listRuns(site.admin, RunFilter.parse({ user, ...filter }))).rows
  const [row] = await found({})
  expect(row).toMatchObject({
    endReason: 'completed',
    userName: 'Test person',
    model: { name: expect.any(String) },
    callTrouble: { failed: 1, denied: 1, timedOut: 0 },
  })
  const fitting = [
    { gate: 'registered' },
    { gate: 'registered', tool: 'no_such_tool', outcome: 'denied' },
    { outcome: 'failed', tool: 'list_groups' },
    { outcome: 'done' },
    { failure: 'any' },
  ]
  for (const filter of fitting) {
    expect(
      (await found(filter)).map((each) => each.runId),
      JSON.stringify(filter),
    ).toEqual([runId])
  }
  // Each fact is true of a call, but not of one call together.
  for (const filter of [
    { gate: 'registered', tool: 'list_groups' },
    { tool: 'no_such_tool', outcome: 'done' },
  ]) {
    expect(await found(filter), JSON.stringify(filter)).toEqual([])
  }
})

test('a run that goes on is found by the calls that it has ended', async () => {
  const site = await addRunSite(server.url)
  const { runId } = await start(
    site,
    '[[call list_groups {}]] [[then]] [[wait 60s]] [[say: Late.]]',
  )
  await collect(site.admin, runId, { until: ({ type }) => type === 'call-end' })
  const user = site.admin.actor.userId
  const found = async (filter: object) =>
    (await listRuns(site.admin, RunFilter.parse({ user, ...filter }))).rows.map((row) => row.runId)
  const filters = [{ tool: 'list_groups' }, { outcome: 'done' }, { outcome: 'denied' }]
  const open = await Promise.all(filters.map(found))
  const tools = await recentTools(site.admin)
  await cancelRun(site.admin, { runId })
  await collect(site.admin, runId)
  expect(open).toEqual([[runId], [runId], []])
  expect(tools).toContain('list_groups')
  expect(await Promise.all(filters.map(found))).toEqual(open)
})

test('a call that ends with its run is among the facts about it, and is found by an index once it is rolled up', async () => {
  const site = await addRunSite(server.url)
  const { runId } = await start(site, '[[call slow_read {"ms":30000}]] [[then]] [[say: Late.]]')
  await collect(site.admin, runId, { until: ({ type }) => type === 'call-start' })
  await cancelRun(site.admin, { runId })
  await collect(site.admin, runId)
  const { callFacts } = await db().run.findUniqueOrThrow({ where: { id: runId } })
  expect(callFacts.filter((fact) => fact.startsWith('outcome:'))).toEqual([
    'outcome:cancelled',
    'outcome:cancelled tool:slow_read',
  ])
  await rollUpUsage({ client: db() })
  const filter = RunFilter.parse({ outcome: 'cancelled', tool: 'slow_read' })
  const statements = await statementsOf(async () => {
    const { rows } = await listRuns(site.admin, filter)
    expect(rows.map((row) => row.runId)).toEqual([runId])
  })
  const list = statements.find(({ text }) => /callFacts.*ORDER BY/s.test(text))
  const [, , plan] = await db().$transaction([
    db().$executeRaw`SET LOCAL enable_seqscan = off`,
    db().$executeRaw`SET LOCAL enable_indexscan = off`,
    db().$queryRawUnsafe(`EXPLAIN ${list?.text}`, ...(list?.values ?? [])),
  ])
  expect(JSON.stringify(plan)).toContain('runs_callFacts_idx')
})

test('the ends that count as failures are those that are shown as errors', async () => {
  const { userId } = (await addPerson('member')).actor
  const run = { userId, status: 'ended' as const, request: {}, prompt: 'p' }
  const ends = EndReason.options.flatMap((endReason) => [
    { ...run, endReason, notStarted: false },
    { ...run, endReason, notStarted: true },
  ])
  await db().run.createMany({ data: ends })
  const stored = await db().run.findMany({ where: { userId } })
  expect(stored).toHaveLength(ends.length)
  for (const { endReason, notStarted, failed } of stored) {
    const { pill } = endWords(EndReason.parse(endReason), notStarted)
    expect(failed, `${endReason} ${notStarted}`).toBe(pill === 'error')
  }
})
