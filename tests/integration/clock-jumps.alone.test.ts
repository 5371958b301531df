import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { pool } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPanelSite, endOfPanel, startOn } from '@/tests/support/panel-site'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'

const hourMs = 3_600_000
let server: ModelServer
let site: RunSite
let engine: Engine

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  engine = await startTestEngine(quickTimes)
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Sets the clock of this machine, which then stands still. */
function jump(ms: number): void {
  const to = Date.now() + ms
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(to)
}

/** Follows a run to its end, during whose answer the clock jumps. Checks that no time is before an earlier one. */
async function endAfterJump(prompt: string, ms: number) {
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  jump(ms)
  const events = eventsIn(await collect(site.admin, runId))
  const times = events.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const row = await db().run.findUniqueOrThrow({ where: { id: runId } })
  expect(row.endedAt?.getTime()).toBeGreaterThanOrEqual(row.createdAt.getTime())
  const message = events.find((event) => event.type === 'message')
  return { state: foldRun(events), row, latencyMs: message?.data.latencyMs ?? Number.NaN }
}

test.each([
  ['forward', hourMs],
  ['back', -hourMs],
])(
  'a clock that jumps an hour %s changes neither durations nor the order of events',
  async (_way, ms) => {
    const { state, row, latencyMs } = await endAfterJump('[[say slowly 60ms: a b c d e f g h]]', ms)
    expect(state.end?.reason).toBe('completed')
    for (const duration of [row.durationMs, state.end?.wallTimeMs, latencyMs]) {
      expect(duration).toBeGreaterThan(100)
      expect(duration).toBeLessThan(60_000)
    }
  },
)

test.each([
  ['forward', hourMs],
  ['back', -hourMs],
])('the time limit of a run holds when the clock jumps an hour %s', async (_way, ms) => {
  await db().configuration.updateMany({ data: { timeLimitMs: 2_500 } })
  const calls = '[[call calculate {"expression":"1+1"}]]'
  const prompt = `[[say slowly 150ms: a b c d]] ${calls} [[then]] [[say slowly 200ms: ${'word '.repeat(60)}]]`
  const { state, row } = await endAfterJump(prompt, ms)
  expect(state.end?.reason).toBe('time-limit')
  expect(row.durationMs).toBeGreaterThan(2_000)
  expect(row.durationMs).toBeLessThan(20_000)
})

test('a run begins at the time of the database when the clock of its server is an hour ahead', async () => {
  jump(hourMs)
  const { runId } = await start(site, 'Hello.')
  await collect(site.admin, runId)
  const { rows } = await pool().query(
    `SELECT abs(extract(epoch FROM "createdAt" - now() AT TIME ZONE 'UTC')) < 60 AS "isNow" FROM runs WHERE id = $1`,
    [runId],
  )
  expect(rows).toEqual([{ isNow: true }])
})

test('a panel begins at the time of the database when the clock of its server is an hour behind', async () => {
  const panels = await addPanelSite(server.url, ['openai-compatible', 'anthropic'])
  jump(-hourMs)
  const { panelId } = await startOn(panels)
  await endOfPanel(panels, panelId)
  const { rows } = await pool().query(
    `SELECT abs(extract(epoch FROM "createdAt" - now() AT TIME ZONE 'UTC')) < 60 AS "isNow" FROM panels WHERE id = $1`,
    [panelId],
  )
  expect(rows).toEqual([{ isNow: true }])
})
