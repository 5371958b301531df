import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isContended } from '@/lib/kernel/database-errors'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { toRunEvent } from '@/lib/runs/run-record'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'
import { isFullChaos, report } from '@/tests/support/writing-runs'

let folder: string
let ledger: string
let server: ModelServer
let site: RunSite
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-back-'))
  ledger = path.join(folder, 'effects.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: ledger,
  })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'append_line', enabled: true, reason: 'to write' })
  await needsNoApproval('append_line')
  engine = await startTestEngine(quickTimes)
})

afterAll(async () => {
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A write that is visible a while before its call ends. */
const write = (text: string) => `[[call append_line {"text":"${text}","delayAfterMs":1500}]]`

const eventsOf = async (runId: string) =>
  (await db().runEventRow.findMany({ where: { runId }, orderBy: { seq: 'asc' } })).map(toRunEvent)

/** Resolves with the number of the event of this type with this place among those of its type. */
async function numberOf(runId: string, type: string, place = 1): Promise<number> {
  const find = async () => (await eventsOf(runId)).filter((event) => event.type === type)[place - 1]
  await expect.poll(find, { timeout: 15_000, interval: 20 }).toBeDefined()
  return (await find())?.seq ?? Number.NaN
}

/** Returns true for a deadlock, which stored nothing; throws any other error. */
function isDeadlock(error: unknown): true {
  if (isContended(error)) return true
  throw error
}

/** Puts the rows of a run back to what they were after event `seq`, as an older copy of the database has them. */
async function putBack(runId: string, seq: number): Promise<void> {
  const kept = foldRun((await eventsOf(runId)).slice(0, seq))
  const put = () =>
    withTransaction(async (tx) => {
      // No statement sees a part of this, as none does of another copy.
      await tx.$executeRaw`LOCK TABLE runs, run_events IN ACCESS EXCLUSIVE MODE`
      await tx.runEventRow.deleteMany({ where: { runId, seq: { gt: seq } } })
      await tx.usageRecord.deleteMany({ where: { runId, round: { gt: kept.rounds.length } } })
      await tx.callRecord.deleteMany({ where: { runId } })
      await tx.run.update({ where: { id: runId }, data: { lastSeq: seq, status: 'running' } })
    })
  // The server may hold one of the tables and want the other.
  while (await put().then(() => false, isDeadlock)) {}
}

async function endOf(runId: string) {
  await expect
    .poll(async () => (await db().run.findUnique({ where: { id: runId } }))?.status, {
      timeout: 20_000,
    })
    .toBe('ended')
  const events = await eventsOf(runId)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, place) => place + 1))
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.data.code] : []))
  return { events, warnings, state: foldRun(events) }
}

const linesOf = async (text: string) =>
  (await readFile(ledger, 'utf8').catch(() => '')).split('\n').filter((line) => line === text)

const outcomes = ({ rounds }: ReturnType<typeof foldRun>) =>
  rounds.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.type === 'ended' ? state.outcome.type : state.type)),
  )

test('a write in flight is unknown when the database goes back to before its start, and its run goes on from the journal', async () => {
  const { runId } = await start(site, `${write('in flight')} [[then]] [[say: done]]`)
  const started = await numberOf(runId, 'call-start')
  await putBack(runId, started - 1)
  const { state, warnings, events } = await endOf(runId)
  expect(warnings).toEqual(['database-went-back'])
  expect(outcomes(state)).toEqual(['unknown'])
  expect(state.end?.reason).toBe('completed')
  expect(events.filter(({ type }) => type === 'call-start')).toHaveLength(1)
  expect(await linesOf('in flight')).toHaveLength(1)
})

test('a call whose start is still there is unknown, when events after it went missing', async () => {
  const calls = `${write('first of two')} ${write('second of two')}`
  const { runId } = await start(site, `${calls} [[then]] [[say slowly 200ms: one two three four]]`)
  await numberOf(runId, 'round-start', 2)
  await putBack(runId, await numberOf(runId, 'call-start', 2))
  const { state, warnings } = await endOf(runId)
  expect(warnings).toEqual(['database-went-back'])
  expect(outcomes(state)).toContain('unknown')
  expect(state.end?.reason).toBe('completed')
  expect(await linesOf('first of two')).toHaveLength(1)
  expect(await linesOf('second of two')).toHaveLength(1)
})

test('a request in flight is sent again when the database goes back, and no event is missing', async () => {
  const { runId } = await start(site, '[[say slowly 200ms: one two three four five six]]')
  const request = await numberOf(runId, 'round-start')
  await putBack(runId, request - 1)
  const { state, warnings } = await endOf(runId)
  expect(warnings).toEqual(['database-went-back'])
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds.map(({ text }) => text)).toEqual(['one two three four five six'])
})

test('a run that wrote ends in words when the database goes back to before it asked for the write', async () => {
  const { runId } = await start(site, `${write('asked before')} [[then]] [[say: done]]`)
  await numberOf(runId, 'call-start')
  await putBack(runId, 1)
  const { state, warnings } = await endOf(runId)
  expect(warnings).toEqual(['database-went-back'])
  expect(state.end).toMatchObject({ reason: 'internal-error' })
  expect(state.end?.message).toContain('append_line')
  expect(await linesOf('asked before')).toHaveLength(1)
})

test('a watcher of a run is told that the database went back', async () => {
  const { runId } = await start(site, `${write('followed')} [[then]] [[say slowly 100ms: a b c d]]`)
  const following = collect(site.admin, runId)
  following.catch(() => undefined)
  await numberOf(runId, 'call-start')
  await putBack(runId, 2)
  await expect(following).rejects.toThrow('The database went back to an earlier state')
  await endOf(runId)
})

test('a run whose rows vanish ends its followers in words, and leaves the memory of its server', async () => {
  const { runId } = await start(site, '[[say slowly 100ms: one two three four five six seven]]')
  const following = collect(site.admin, runId)
  following.catch(() => undefined)
  await numberOf(runId, 'round-start')
  await db().run.delete({ where: { id: runId } })
  await expect(following).rejects.toThrow('This run is not in the database any more')
  await expect.poll(() => engine.liveRuns.has(runId), { timeout: 10_000 }).toBe(false)
})

const together = isFullChaos ? 60 : 6

test(`the journals of ${together} runs go back at random places: no event is missing and no write is done twice`, async () => {
  const texts = Array.from({ length: together }, (_each, place) => `together ${place}`)
  const runs = await Promise.all(
    texts.map((text) =>
      start(site, `${write(`${text} a`)} [[then]] ${write(`${text} b`)} [[then]] [[say: done]]`),
    ),
  )
  for (const [place, { runId }] of runs.entries()) {
    const latest = await numberOf(runId, 'call-start', 1 + (place % 2))
    await putBack(runId, 1 + ((place * 7) % latest))
  }
  const ends = await Promise.all(runs.map(({ runId }) => endOf(runId)))
  for (const text of texts)
    for (const part of ['a', 'b'])
      expect((await linesOf(`${text} ${part}`)).length).toBeLessThanOrEqual(1)
  const reasons = ends.map(({ state }) => state.end?.reason)
  const wentOn = reasons.filter((reason) => reason === 'completed').length
  report(`${wentOn} of ${together} runs went on, the others ended in words`)
  for (const reason of reasons) expect(['completed', 'internal-error']).toContain(reason)
}, 120_000)
