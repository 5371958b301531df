import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { GET as askReady } from '@/app/api/ready/route'
import { db, pool } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

// Triggers answer here as PostgreSQL does when its disk is full. `npm run chaos` fills a real one.

let server: ModelServer
let engine: Engine
let site: RunSite
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-full-'))
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: path.join(folder, 'lines.txt'),
  })
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine({ retryMs: 100 })
  site = await addRunSite(server.url)
  await switchTool(site.admin, { name: 'append_line', enabled: true, reason: 'test' })
  await needsNoApproval('append_line')
  await pool().query(`
    CREATE FUNCTION refuse_for_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';
    END $$`)
})

const tables = ['runs', 'run_events', 'log_entries', 'usage_records', 'audit_entries']

const fill = async () => {
  for (const table of tables) {
    await pool().query(
      `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} EXECUTE FUNCTION refuse_for_room()`,
    )
  }
}
const makeRoom = async () => {
  for (const table of tables) await pool().query(`DROP TRIGGER IF EXISTS full_disk ON ${table}`)
}

afterEach(makeRoom)

afterAll(async () => {
  await pool().query('DROP FUNCTION refuse_for_room')
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const ready = async () => {
  const answer = await askReady()
  return { code: answer.status, checks: (await answer.json()).checks }
}

test('while the disk is full, starting answers 507 with words, and the server is not ready', async () => {
  const key = await apiKeyOf(site.admin, 'runs:write')
  const { configuration } = site
  const configurations = [configuration, (await addRunSite(server.url)).configuration]
  const askRun = () => askApi('POST', '/runs', { key, json: { configuration, prompt: 'Hello.' } })
  const askPanel = () =>
    askApi('POST', '/panels', { key, json: { configurations, prompt: 'Hello.' } })
  expect((await ready()).code).toBe(200)
  await fill()
  for (const refused of [await askRun(), await askPanel()]) {
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({
      type: 'urn:toolgate:problem:disk-full',
      title: 'Insufficient storage',
      detail: expect.stringMatching(
        /^The disk of the database is full, so nothing can be stored\./,
      ),
    })
  }
  expect(await ready()).toMatchObject({
    code: 503,
    checks: { database: 'full', engine: 'ok' },
  })
  await makeRoom()
  expect((await ready()).code).toBe(200)
  expect((await askRun()).status).toBe(202)
  expect((await askPanel()).status).toBe(202)
  expect(await db().panel.count()).toBe(1)
})

test('active runs wait while the disk is full, and go on with everything they did', async () => {
  const call = '[[call append_line {"text":"once","delayMs":200}]]'
  const { runId } = await start(site, `${call} [[then]] [[say: Written.]]`)
  const collected = collect(site.admin, runId)
  await collect(site.admin, runId, { until: ({ type }) => type === 'call-start' })
  await fill()
  const lines = () => readFile(path.join(folder, 'lines.txt'), 'utf8').catch(() => '')
  await expect.poll(lines).toBe('once\n')
  // Longer than a run may fail before it ends as broken.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(engine.liveRuns.has(runId)).toBe(true)
  await makeRoom()
  const events = eventsIn(await collected)
  const state = foldRun(events)
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
  expect(state.rounds.at(-1)?.text).toBe('Written.')
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, place) => place + 1))
  expect(await lines()).toBe('once\n')
})
