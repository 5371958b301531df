import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { eventsIn, type RunUpdate } from '@/lib/protocol/run/run-delta'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startWorker, stopped, type Worker } from '@/tests/support/start-worker'
import { setEnv } from '@/tests/support/test-process'
import { words } from '@/tests/support/words'

let server: ModelServer
let site: RunSite
let folder: string
let lines: string
let worker: Worker

const extraTools = path.resolve('tests/support/extra-tools')

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-crash-'))
  lines = path.join(folder, 'lines.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: extraTools,
    TOOLGATE_TEST_APPEND_FILE: lines,
  })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  for (const name of ['append_line', 'slow_read']) {
    await switchTool(site.admin, { name, enabled: true, reason: 'crash test' })
  }
  await needsNoApproval('append_line')
  worker = await startWorker()
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Checks that one request of this run was lost, and that run and ledger count it (SPEC M5): with the part of its
 * answer that was shown and stored.
 */
async function expectLost(
  runId: string,
  state: RunState,
  { round, atLeast }: { round: number; atLeast: number },
): Promise<void> {
  const records = await db().usageRecord.findMany({ where: { runId } })
  expect(records).toHaveLength(state.rounds.length + 1)
  const lost = records.filter(({ errorCategory }) => errorCategory === 'cancelled')
  expect(lost).toMatchObject([{ round, estimated: true }])
  expect(lost[0]?.inputTokens).toBeGreaterThan(0)
  expect(lost[0]?.outputTokens).toBeGreaterThanOrEqual(atLeast)
  const run = await db().run.findUniqueOrThrow({ where: { id: runId } })
  for (const figure of ['inputTokens', 'outputTokens'] as const) {
    const sum = records.reduce((total, record) => total + record[figure], 0)
    expect([run[figure], state.usage[figure]]).toEqual([sum, sum])
  }
}

/** Returns the lines that a tool wrote and that are this text. */
const writtenLines = async (text: string) =>
  (await readFile(lines, 'utf8').catch(() => '')).split('\n').filter((line) => line === text)

const text = words(40)
const slowly = `[[say slowly 120ms: ${text}]]`
const begun = (event: RunUpdate) => event.type === 'call-start'
const answering = (event: RunUpdate) => event.type === 'text-delta'

/** Each run, and what has happened in it when its process is killed. */
const runs = {
  answer: [`[[call get_runtime_info {}]] [[then]] ${slowly}`, answering],
  image: [`[[call draw_square {"colour":"336699"}]] [[then]] ${slowly}`, answering],
  read: ['[[call slow_read {"ms":4000}]] [[then]] [[say: read]]', begun],
  write: ['[[call append_line {"text":"once","delayMs":20000}]] [[then]] [[say: noted]]', begun],
  written: [`[[call append_line {"text":"written"}]] [[then]] ${slowly}`, answering],
} satisfies Record<string, [prompt: string, at: (event: RunUpdate) => boolean]>

type Ended = RunState & { runId: string }

describe('killed with no warning, a process leaves its runs to the next', () => {
  const ended = new Map<string, Ended>()
  const stateOf = (name: keyof typeof runs): Ended => {
    const state = ended.get(name)
    if (!state) throw new Error(`The run ${name} did not end.`)
    return state
  }
  const sentImages = () =>
    server.requests.filter(({ body }) => JSON.stringify(body).includes('data:image/png;base64,'))

  // One kill for all of them, because it takes longer to start a process than to work on them.
  beforeAll(async () => {
    await db().model.updateMany({ data: { vision: true } })
    const begin = async ([name, [prompt, until]]: [string, (typeof runs)[keyof typeof runs]]) => {
      const { runId } = await start(site, prompt)
      await collect(site.admin, runId, { until })
      return [name, runId] as const
    }
    const ids = await Promise.all(Object.entries(runs).map(begin))
    // The next heartbeat stores what was shown.
    const where = { id: new Map<string, string>(ids).get('answer'), shownTokens: { gt: 2 } }
    await vi.waitUntil(() => db().run.count({ where }), { timeout: 20_000 })
    await stopped(worker)
    worker = await startWorker()
    for (const [name, runId] of ids) ended.set(name, await endOf(runId))
  })

  async function endOf(runId: string): Promise<Ended> {
    const events = eventsIn(await collect(site.admin, runId))
    expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    return { ...foldRun(events), runId }
  }

  test('in the middle of an answer: the run is answered again', async () => {
    const state = stateOf('answer')
    expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
    expect(state.rounds.map((round) => round.text)).toEqual(['', text])
    await expectLost(state.runId, state, { round: 2, atLeast: 3 })
  })

  test('after a result with an image: the image is sent again, too', async () => {
    const state = stateOf('image')
    expect(state.end?.reason).toBe('completed')
    expect(sentImages()).toHaveLength(2)
    expect(await db().runFile.count({ where: { runId: state.runId } })).toBe(1)
  })

  test('in the middle of a read: the read is done again', () => {
    const state = stateOf('read')
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
      type: 'ended',
      outcome: { type: 'ok' },
    })
  })

  test('in the middle of a write: the write is not repeated and its outcome is unknown', async () => {
    const state = stateOf('write')
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
      type: 'ended',
      outcome: { type: 'unknown' },
    })
    expect((await writtenLines('once')).length).toBeLessThanOrEqual(1)
  })

  test('after a write was recorded: the run goes on without writing again', async () => {
    const state = stateOf('written')
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
    expect(await writtenLines('written')).toHaveLength(1)
  })
})

test('told to stop, a process ends the request in flight, which is paid for once', async () => {
  const { runId } = await start(site, `[[say slowly 400ms: ${words(25)}]]`)
  await collect(site.admin, runId, { until: (event) => event.type === 'text-delta' })
  const other = await startWorker()
  const gone = once(worker, 'exit')
  worker.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
  worker = other
  const state = foldRun(await collect(site.admin, runId))
  expect(state.end?.reason).toBe('completed')
  expect(state.rounds[0]?.text).toBe(words(25))
  expect(await db().usageRecord.findMany({ where: { runId } })).toMatchObject([
    { round: 1, errorCategory: null },
  ])
})
