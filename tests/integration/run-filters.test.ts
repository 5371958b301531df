import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { RunQuery, toRunFilter } from '@/app/(console)/runs/(list)/run-filter'
import { lenientQuery } from '@/lib/edge/lenient-query'
import type { Ctx } from '@/lib/kernel/context'
import { exportRuns, RunExport } from '@/lib/runs/lists/export-runs'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const hourMs = 3_600_000
const count = 240
const zones = ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'] as const
const tools = ['get_env', 'fetch_logs', 'server__tool'] as const
const gates = ['role', 'enabled', 'rule'] as const
const outcomes = ['ok', 'failed', 'invalid-arguments', 'timed-out', 'cancelled', 'unknown'] as const
const ends = ['completed', 'cancelled', 'budget', 'provider-error', 'time-limit'] as const
const tags = ['billing', 'to check', 'über'] as const
const sources = ['console', 'api', 'cli', 'schedule'] as const

/** Parts of the seed: the same in every run of the test. */
const Call = fc.record({
  toolName: fc.constantFrom(...tools),
  ended: fc.oneof(
    { weight: 5, arbitrary: fc.constant({ outcome: 'ok', gate: null }) },
    fc.constantFrom(...outcomes).map((outcome) => ({ outcome, gate: null })),
    fc.constantFrom(...gates).map((gate) => ({ outcome: 'denied', gate })),
  ),
})
const Run = fc.record({
  ofMember: fc.boolean(),
  endReason: fc.option(fc.constantFrom('completed', 'completed', ...ends), { freq: 9 }),
  notStarted: fc.nat(20).map((n) => n === 0),
  source: fc.constantFrom(...sources),
  cost: fc.option(fc.nat(4), { freq: 9 }),
  seconds: fc.nat(4),
  hoursAgo: fc.nat(40 * 24),
  word: fc.constantFrom('disk', 'invoice', 'queue'),
  calls: fc.array(Call, { maxLength: 3 }),
  tags: fc.subarray([...tags]),
})
type Run = typeof Run extends fc.Arbitrary<infer T> ? T & { id: string; createdAt: Date } : never

const Filter = fc.record(
  {
    period: fc.constantFrom('today', '7d', '30d', 'this-month'),
    failure: fc.constant('any'),
    tool: fc.constantFrom(...tools),
    outcome: fc.constantFrom('done', 'failed', 'denied', 'timed-out', 'cancelled', 'unknown'),
    gate: fc.constantFrom(...gates),
    source: fc.constantFrom(...sources),
    tag: fc.constantFrom(...tags, ' Billing '),
    search: fc.constantFrom('disk', 'INVOICE'),
    minCost: fc.constantFrom('0', '0.000002'),
    maxCost: fc.constantFrom('0.000003', '1'),
    minSeconds: fc.constantFrom('1', '2.5'),
    maxSeconds: fc.constantFrom('3', '0.5'),
    sort: fc.constantFrom('-cost', 'cost', '-duration', 'tokens', 'started', '-started'),
  },
  { requiredKeys: [] },
)
type Filter = typeof Filter extends fc.Arbitrary<infer T> ? T : never

let admin: Ctx
let member: Ctx
let keys: { admin: string; member: string }
let runs: Run[]

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  keys = { admin: await apiKeyOf(admin, 'runs:read'), member: await apiKeyOf(member, 'runs:read') }
  const now = Date.now()
  runs = fc.sample(Run, { numRuns: count, seed: 26 }).map((run, n) => ({
    ...run,
    id: randomUUID(),
    // No two runs begin at once, and none at midnight.
    createdAt: new Date(now - run.hoursAgo * hourMs - n * 1_000 - 1),
  }))
  await db().run.createMany({
    data: runs.map((run) => ({
      id: run.id,
      userId: (run.ofMember ? member : admin).actor.userId,
      status: run.endReason ? ('ended' as const) : ('running' as const),
      endReason: run.endReason,
      notStarted: run.notStarted,
      source: run.source,
      costMicroUsd: run.cost,
      durationMs: run.endReason ? run.seconds * 1_000 : null,
      inputTokens: run.seconds,
      request: {},
      prompt: `About the ${run.word}`,
      tags: run.tags,
      createdAt: run.createdAt,
    })),
  })
  await db().callRecord.createMany({
    data: runs.flatMap(({ id, calls }) =>
      calls.map(({ toolName, ended }) => ({
        runId: id,
        callId: randomUUID(),
        userId: admin.actor.userId,
        toolName,
        ...ended,
        durationMs: 1,
      })),
    ),
  })
})

const failedEnds = ['provider-error', 'time-limit']
const wordOf = (outcome: string) =>
  ({ ok: 'done', 'invalid-arguments': 'failed' })[outcome] ?? outcome

/** Returns the date in a zone, as the browser there shows it. */
const dateIn = (zone: string, at: Date) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)

/** Returns whether the run began on one of the days that the period names, by the dates of the zone. */
function isWithin(period: NonNullable<Filter['period']>, zone: string, at: Date): boolean {
  const [today, date] = [dateIn(zone, new Date()), dateIn(zone, at)]
  if (period === 'this-month') return date.slice(0, 7) === today.slice(0, 7)
  const days = { today: 0, '7d': 6, '30d': 29 }[period]
  const first = new Date(Date.parse(today) - days * 24 * hourMs).toISOString().slice(0, 10)
  return date >= first
}

/** Says without the database whether a run fits. */
function fits(run: Run, filter: Filter, zone: string): boolean {
  const { period, failure, tool, outcome, gate, source, search, tag } = filter
  const words = run.calls.map(({ toolName, ended }) => ({
    toolName,
    outcome: wordOf(ended.outcome),
    gate: ended.gate,
  }))
  const failed =
    run.notStarted ||
    failedEnds.includes(run.endReason ?? '') ||
    words.some((call) => ['failed', 'denied', 'timed-out'].includes(call.outcome))
  const asksCalls = tool ?? outcome ?? gate
  const called = words.some(
    (call) =>
      (!tool || call.toolName === tool) &&
      (!outcome || call.outcome === outcome) &&
      (!gate || call.gate === gate),
  )
  const seconds = run.endReason ? run.seconds : null
  return (
    (!period || isWithin(period, zone, run.createdAt)) &&
    (!failure || failed) &&
    (!asksCalls || called) &&
    (!source || run.source === source) &&
    (!tag || run.tags.some((each) => each === tag.trim().toLowerCase())) &&
    (!search || run.word === search.toLowerCase()) &&
    inRange(run.cost === null ? null : run.cost / 1_000_000, filter.minCost, filter.maxCost) &&
    inRange(seconds, filter.minSeconds, filter.maxSeconds)
  )
}

function inRange(
  figure: number | null,
  least: string | undefined,
  most: string | undefined,
): boolean {
  if (least === undefined && most === undefined) return true
  if (figure === null) return false
  return figure >= Number(least ?? 0) && figure <= Number(most ?? Number.POSITIVE_INFINITY)
}

async function exported(ctx: Ctx, filter: object): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of await exportRuns(ctx, RunExport.parse({ ...filter, format: 'ndjson' })))
    pieces.push(piece)
  return pieces
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).runId)
}

test('page, API and export give the rows that fit, in one order, in the zone of the reader', async () => {
  await fc.assert(
    fc.asyncProperty(
      Filter,
      fc.constantFrom(...zones),
      fc.boolean(),
      async (filter, zone, asAdmin) => {
        const [ctx, key] = asAdmin ? [admin, keys.admin] : [member, keys.member]
        const mine = runs.filter((run) => asAdmin || run.ofMember)
        const wanted = mine.filter((run) => fits(run, filter, zone)).map(({ id }) => id)
        const query = lenientQuery(RunQuery, { ...filter, zone, pageSize: '200' })
        const page = await listRuns(ctx, toRunFilter(query))
        const ids = page.rows.map(({ runId }) => runId)
        expect(page.total).toBe(wanted.length)
        expect(ids.toSorted()).toEqual(wanted.toSorted())
        const params = new URLSearchParams({ ...filter, zone, pageSize: '200' })
        const answer = await (await askApi('GET', `/runs?${params}`, { key })).json()
        expect(answer.runs.map(({ runId }: { runId: string }) => runId)).toEqual(ids)
        expect(await exported(ctx, { ...filter, zone })).toEqual(ids)
      },
    ),
    { numRuns: 40 },
  )
})

test('a terminal lists and exports the same, the dearest first, with days of its own zone', async () => {
  const ids = async (ctx: Ctx, filter: Filter) => {
    const page = await listRuns(
      ctx,
      RunFilter.parse({ ...filter, zone: 'Asia/Tokyo', pageSize: 200 }),
    )
    return page.rows.map(({ runId }) => runId)
  }
  const say = async (...args: string[]) => {
    const { code, stdout, stderr } = await toolgate(['run', ...args], { env: { TZ: 'Asia/Tokyo' } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const listed = (text: string) =>
    JSON.parse(text).rows.map(({ runId }: { runId: string }) => runId)
  const found = { failure: 'any', period: '7d', sort: '-cost' } as const
  const failed = ['--failed', '--since', '7d', '--sort', 'cost']
  const wanted = await ids(admin, found)
  expect(wanted.length).toBeGreaterThan(5)
  const as = ['--as', admin.actor.email]
  expect(listed(await say('list', ...failed, ...as, '--limit', '200', '--json'))).toEqual(wanted)
  const lines = (await say('export', ...failed, ...as, '--format', 'ndjson')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).runId)).toEqual(wanted)
  const mine = await ids(member, found)
  expect(mine.length).toBeGreaterThan(0)
  expect(mine.length).toBeLessThan(wanted.length)
  const own = ['--as', member.actor.email, '--limit', '200', '--json']
  expect(listed(await say('list', ...failed, ...own))).toEqual(mine)
  const denied = { outcome: 'denied', tool: 'get_env', sort: 'cost' } as const
  const cheap = ['--outcome', 'denied', '--tool', 'get_env', '--sort', 'cost', '--reverse']
  expect(listed(await say('list', ...cheap, ...own))).toEqual(await ids(member, denied))
  const tagged = ['--tag', 'To check', '--sort', 'cost']
  const marked = await ids(member, { tag: 'to check', sort: '-cost' })
  expect(marked.length).toBeGreaterThan(5)
  expect(listed(await say('list', ...tagged, ...own))).toEqual(marked)
  expect(await say('list', ...cheap, ...as)).toMatch(/^RUN +STARTED +STATE[^\n]*\n[^\n]*\d denied/)
})
