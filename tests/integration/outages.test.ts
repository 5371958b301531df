import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase, pool } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { type CallInFlight, type LiveRun, recheckLiveRuns } from '@/lib/runs/engine/live-runs'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

// A trigger answers here as PostgreSQL does while it stops and starts. `npm run chaos` kills a real one.

let server: ModelServer
let engine: Engine
let site: RunSite
let folder: string
let lines: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-outages-'))
  lines = path.join(folder, 'lines.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: lines,
  })
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine({ retryMs: 100 })
  site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'append_line', enabled: true, reason: 'test' })
  await needsNoApproval('append_line')
  await pool().query(`
    CREATE FUNCTION refuse_to_start() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'the database system is starting up' USING ERRCODE = '57P03';
    END $$`)
})

afterAll(async () => {
  await pool().query('DROP FUNCTION IF EXISTS refuse_to_start CASCADE')
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const written = () => readFile(lines, 'utf8').catch(() => '')

test('a write that ends while the database is away is recorded as it ended, and no model is asked again', async () => {
  const before = server.requests.length
  const prompt = '[[call append_line {"text":"once","delayMs":500}]] [[then]] [[say: noted]]'
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId, { until: (event) => event.type === 'call-start' })
  await pool().query(
    'CREATE TRIGGER away BEFORE INSERT ON run_events EXECUTE FUNCTION refuse_to_start()',
  )
  await vi.waitUntil(async () => (await written()) !== '', { timeout: 20_000 })
  // The run waits in memory with what it did.
  expect(engine.liveRuns.has(runId)).toBe(true)
  await pool().query('DROP TRIGGER away ON run_events')
  const events = eventsIn(await collect(site.admin, runId))
  const state = foldRun(events)
  expect(state.end).toMatchObject({ reason: 'completed' })
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
  expect(await written()).toBe('once\n')
  expect(events.filter(({ type }) => type === 'request-lost')).toEqual([])
  expect(server.requests.length).toBe(before + 2)
})

test('a call in flight goes on while the policy cannot be read because the database is away', async () => {
  const away = openDatabase('postgresql://nobody@127.0.0.1:1/none', 1)
  const call: CallInFlight = { callId: '', tool: undefined, controller: new AbortController() }
  const snapshot = null
  const run = { calls: new Set([call]), question: { userId: site.admin.actor.userId, snapshot } }
  const liveRuns = new Map([['a run', run as unknown as LiveRun]])
  const again = vi.fn(async () => undefined)
  await recheckLiveRuns({ liveRuns, database: away }, again)
  expect(call.controller.signal.aborted).toBe(false)
  await vi.waitUntil(() => again.mock.calls.length > 0, { timeout: 20_000 })
  await closeDatabase(away)
})
