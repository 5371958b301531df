import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeDatabase, closeDb, type Database, database, openDatabase } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { endOf, eventsIn, isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import { decideApproval } from '@/lib/runs/approvals/decide-approval'
import type { Engine } from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes } from '@/lib/runs/engine/start-engine'
import { cancelRun } from '@/lib/runs/verbs'
import {
  type ApprovalSite,
  append,
  openApprovalSite,
  untilWaiting,
} from '@/tests/support/approval-site'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { collect, start } from '@/tests/support/run-site'
import { createTestDatabase } from '@/tests/support/test-database'
import { onEngine, quickTimes, timersToPause } from '@/tests/support/test-engine'
import { waitingForRows } from '@/tests/support/waiting-for-rows'
import { words } from '@/tests/support/words'

const quick = { ...engineTimes, ...quickTimes }

/** The first request with this prompt is answered when the test says so. */
const late = 'answered late'
let answerNow: () => void
const lateAnswer = new Promise<void>((resolve) => {
  answerNow = resolve
})
let site: ApprovalSite
const open: Engine[] = []

beforeAll(async () => {
  site = await openApprovalSite(async (request) => {
    if (request.prompt === late && site.requestsOf(late).length === 1) await lateAnswer
    return turnOfPrompt(request)
  })
})

afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close()
})

afterAll(async () => {
  await site.close()
})

/** Opens an engine that has its own host name. */
async function openOn(host: string, { on = database(), times = quick } = {}) {
  const { every, pause } = timersToPause()
  const engine = await openEngine({ kind: 'server', database: on, times, host, every })
  open.push(engine)
  return { engine, pause }
}

async function openTwo(times = quick) {
  const [one, two] = [await openOn('one', { times }), await openOn('two', { times })]
  return { one: one.engine, two: two.engine, pauseOne: one.pause }
}

const ownerOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).instanceId

const isText = (event: RunUpdate) => event.type === 'text-delta'

const textOf = (events: RunUpdate[]) => foldRun(events).rounds.map(({ text }) => text)

test('one of two engines that want a run gets it', async () => {
  const { one, two } = await openTwo()
  const prompts = Array.from({ length: 8 }, (_, index) => `free ${index}`)
  const runs = await Promise.all(prompts.map((prompt) => start(site, prompt)))
  for (const { runId } of runs) {
    const events = await collect(site.admin, runId)
    expect(events.map(({ type }) => type).filter((type) => type === 'run-end')).toHaveLength(1)
    expect([one.instanceId, two.instanceId]).toContain(await ownerOf(runId))
  }
  for (const prompt of prompts) expect(site.requestsOf(prompt)).toHaveLength(1)
})

test('the run of an engine without heartbeats is claimed by the other, and what the first still writes is refused', async () => {
  const { one, two, pauseOne } = await openTwo({ ...quick, deadAfterMs: 2_000 })
  const { runId } = await start(site, late, {}, one)
  await expect.poll(() => site.requestsOf(late).length).toBe(1)
  pauseOne()
  const events = await collect(site.admin, runId, { engine: two })
  expect(await ownerOf(runId)).toBe(two.instanceId)
  expect(one.liveRuns.has(runId)).toBe(true)
  answerNow()
  await expect.poll(() => one.liveRuns.has(runId)).toBe(false)
  expect(await collect(site.admin, runId)).toEqual(eventsIn(events))
  expect(foldRun(events).end?.reason).toBe('completed')
  expect(events.filter(({ type }) => type === 'run-end')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'request-lost')).toHaveLength(1)
})

test('J2: watchers in other processes are shown the whole answer while it streams, with and without an engine', async () => {
  const { one, two } = await openTwo()
  const text = words(30)
  const { runId } = await start(site, `[[say slowly 80ms: ${text}]]`, {}, one)
  await collect(site.admin, runId, { until: isText, engine: one })
  const watch = async (engine?: Engine) => {
    let pieces = 0
    const until = (update: RunUpdate) => isText(update) && ++pieces === 4
    return collect(site.admin, runId, { until, ...(engine && { engine }) })
  }
  for (const seen of await Promise.all([watch(one), watch(two), watch()])) {
    const deltas = seen.filter(isDelta)
    expect(deltas.length).toBeGreaterThanOrEqual(4)
    expect(deltas.map(({ offset }) => offset)).toEqual([0, ...deltas.slice(0, -1).map(endOf)])
    expect(text.startsWith(textOf(seen).join())).toBe(true)
  }
  expect(await db().runEventRow.count({ where: { runId, type: { endsWith: 'delta' } } })).toBe(0)
  expect(textOf(await collect(site.admin, runId, { engine: two }))).toEqual([text])
})

test('a run is cancelled through another engine than the one that works on it', async () => {
  const { one, two } = await openTwo()
  const { runId } = await start(site, '[[say slowly 100ms: a b c d e f g h i j k]]', {}, one)
  await collect(site.admin, runId, { until: isText, engine: two })
  expect(
    await onEngine(two, () => cancelRun(site.admin, { runId, reason: 'Not needed.' })),
  ).toEqual({
    status: 'cancelling',
  })
  const events = await collect(site.admin, runId, { engine: two })
  expect(foldRun(events).end?.reason).toBe('cancelled')
  expect(await ownerOf(runId)).toBe(one.instanceId)
})

test('a call that waits in one engine is decided through the other', async () => {
  const { one, two } = await openTwo()
  await site.addRule()
  try {
    const { runId } = await start(site, append('decided elsewhere'), {}, one)
    const [row] = await untilWaiting(site.admin, runId)
    if (!row) throw new Error('No call waits.')
    const { approvalId, argumentsHash } = row
    const decision = { type: 'approve', message: '' } as const
    const answer = { approvalId, argumentsHash, decision }
    await onEngine(two, () => decideApproval(site.admin, answer))
    expect(foldRun(await collect(site.admin, runId)).end?.reason).toBe('completed')
    expect(await ownerOf(runId)).toBe(one.instanceId)
    expect(await site.writtenLines()).toContain('decided elsewhere')
  } finally {
    await site.removeRules()
  }
})

test('an engine that closes hands its run over and leaves the other alone', async () => {
  const { one, two } = await openTwo({ ...quick, callsMayTakeMs: 300 })
  const slowly = (text: string) => `[[say slowly 100ms: ${text}]]`
  const [mine, yours] = [words(25), words(26)]
  const { runId: first } = await start(site, slowly(mine), {}, one)
  const { runId: second } = await start(site, slowly(yours), {}, two)
  await Promise.all([first, second].map((runId) => collect(site.admin, runId, { until: isText })))
  await one.close()
  expect(textOf(await collect(site.admin, second, { engine: two }))).toEqual([yours])
  expect(textOf(await collect(site.admin, first, { engine: two }))).toEqual([mine])
  expect(await ownerOf(first)).toBe(two.instanceId)
  expect(site.requestsOf(slowly(yours))).toHaveLength(1)
  expect(await db().instance.findMany({ select: { id: true } })).toEqual([{ id: two.instanceId }])
})

test('engines of two databases share nothing', async () => {
  await closeDb()
  const name = new URL(database().url).pathname.slice(1)
  const copy = await createTestDatabase('_copy', { copyOf: name })
  const elsewhere = openDatabase(copy.url, 5)
  try {
    await db(elsewhere.client).user.updateMany({ data: { name: 'Only Elsewhere' } })
    const { engine: one } = await openOn('one')
    const { engine: two } = await openOn('two', { on: elsewhere })
    const prompt = '[[call list_users {}]] [[then]] [[say: {{results}}]]'
    const { runId: first } = await start(site, prompt, {}, one)
    const { runId: second } = await start(site, prompt, {}, two)
    const textOfRun = async (runId: string, engine: Engine) =>
      textOf(await collect(site.admin, runId, { engine })).join()
    expect(await textOfRun(first, one)).not.toContain('Only Elsewhere')
    expect(await textOfRun(second, two)).toContain('Only Elsewhere')
    const kept = async ({ client }: Database) => ({
      runs: await client.run.count({ where: { id: { in: [first, second] } } }),
      records: await client.usageRecord.count({ where: { runId: { in: [first, second] } } }),
      instances: await client.instance.count(),
    })
    expect(await kept(database())).toEqual({ runs: 1, records: 2, instances: 1 })
    expect(await kept(elsewhere)).toEqual({ runs: 1, records: 2, instances: 1 })

    const { runId: third } = await start(site, '[[say slowly 100ms: a b c d e f g]]', {}, two)
    await onEngine(two, () => cancelRun(site.admin, { runId: third, reason: 'Not needed.' }))
    expect(foldRun(await collect(site.admin, third, { engine: two })).end?.reason).toBe('cancelled')
    await two.close()
    const { runId: fourth } = await start(site, 'still here', {}, one)
    expect(foldRun(await collect(site.admin, fourth, { engine: one })).end?.reason).toBe(
      'completed',
    )
  } finally {
    await Promise.all(open.splice(0).map((engine) => engine.close()))
    await closeDatabase(elsewhere)
    await copy.drop()
  }
})

test('an engine that closes while it claims a run leaves the run to others', async () => {
  const { engine } = await openOn('one')
  const { userId } = site.admin.actor
  const other = await db().instance.create({
    data: { id: randomUUID(), kind: 'server', host: 'three', pid: process.pid },
  })
  const { id: runId } = await db().run.create({
    data: { userId, request: {}, prompt: 'left', status: 'running', instanceId: other.id },
  })
  let closed = Promise.resolve()
  await withTransaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE runs IN EXCLUSIVE MODE`
    await db().instance.delete({ where: { id: other.id } })
    await expect.poll(waitingForRows).toBe(1)
    closed = engine.close()
    // Long enough for a close that does not wait for the claim.
    await Promise.race([closed, wait(1_000)])
  })
  await closed
  expect(await ownerOf(runId)).toBeNull()
  await db().run.delete({ where: { id: runId } })
})
