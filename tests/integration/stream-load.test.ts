import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { streamRuns } from '@/lib/runs/journal/watch-run'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const full = process.env.TOOLGATE_FULL_PROOF === '1'
const streams = full ? 40 : 6
const runs = full ? 100 : 8
/** Parts of a stored answer that each copied run has, of about 1 KB each. */
const events = full ? 100 : 60

let server: ModelServer
let engine: Awaited<ReturnType<typeof startTestEngine>>
let reader: Ctx
let other: Ctx
let runId: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  const site = await addRunSite(server.url)
  reader = site.admin
  other = await addPerson('member')
  ;({ runId } = await start(site, 'said'))
  await collect(site.admin, runId)
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

const opened = new Set<AbortController>()

async function open(names: string[], session: string, method = 'GET') {
  const left = new AbortController()
  opened.add(left)
  const query = names.map((name) => `run=${name}:0`).join('&')
  const address = `http://localhost/api/events?${query}`
  const request = new Request(address, { method, signal: left.signal })
  const ctx = { ...reader, sessionId: session }
  const response = await streamRuns({ ctx, request, recheck: async () => reader })
  return { response, left }
}

/** Reads a stream to its end. Returns the ids of its events. */
async function idsOf({ response }: { response: Response }): Promise<string[]> {
  const text = await response.text()
  return text.split('\n').flatMap((line) => (line.startsWith('id: ') ? [line.slice(4)] : []))
}

test('a run that is named several times is sent once', async () => {
  const once = await idsOf(await open([runId], 'one'))
  expect(once.length).toBeGreaterThan(2)
  expect(await idsOf(await open([runId, runId, runId], 'one'))).toEqual(once)
})

test('a session and a person have a number of streams at a time, and a closed one makes room', async () => {
  const many = (session: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => open([runId], session)))
  const [first] = await many('one', 20)
  for (const method of ['GET', 'HEAD']) {
    await expect(open([runId], 'one', method)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('at most 20 for each session'),
    })
  }
  await many('two', 20)
  await expect(open([runId], 'three')).rejects.toMatchObject({ status: 429 })
  await first?.response.body?.cancel()
  expect((await open([runId], 'three')).response.status).toBe(200)
  for (const left of opened) left.abort()
  await expect
    .poll(() =>
      open([runId], 'one', 'HEAD').then(
        () => 'room',
        () => 'none',
      ),
    )
    .toBe('room')
})

/** Copies the finished run with a long journal, and returns the ids of the copies. */
async function addLongRuns(): Promise<string[]> {
  const ids = Array.from({ length: runs }, () => randomUUID())
  await db().$executeRaw`
    INSERT INTO runs SELECT copy.* FROM runs, unnest(${ids}::uuid[]) AS name,
      jsonb_populate_record(runs, jsonb_build_object('id', name, 'lastSeq', ${events}::int)) AS copy
    WHERE runs.id = ${runId}::uuid`
  await db().$executeRaw`
    INSERT INTO run_events ("runId", seq, type, data, at)
    SELECT name, n, CASE WHEN n = ${events} THEN 'run-end' ELSE 'round-message' END,
      jsonb_build_object('text', repeat('word ', 200)), now()
    FROM unnest(${ids}::uuid[]) AS name, generate_series(1, ${events}) AS n`
  return ids
}

async function listTimes(until: AbortSignal): Promise<number[]> {
  const times: number[] = []
  do {
    const began = performance.now()
    await listRuns(other, RunFilter.parse({}))
    times.push(performance.now() - began)
    await sleep(10)
  } while (!until.aborted)
  return times.toSorted((a, b) => a - b)
}

test('a reader of many runs on many streams gets all of them, and delays others by at most 100 ms', async () => {
  const ids = await addLongRuns()
  const quiet = await listTimes(AbortSignal.timeout(full ? 2_000 : 50))
  const read = new AbortController()
  const reading = Promise.all(
    Array.from({ length: streams }, async (_, at) => idsOf(await open(ids, `session-${at % 2}`))),
  ).finally(() => read.abort())
  const busy = await listTimes(read.signal)
  for (const got of await reading) {
    expect(got).toHaveLength(runs * events)
    expect(new Set(got).size).toBe(runs * events)
  }
  const middle = (times: number[]) => times[Math.floor(times.length / 2)] ?? 0
  if (!full) return
  console.log(
    `The list of another person, in ms: median ${middle(quiet).toFixed(0)} alone, ${middle(busy).toFixed(0)} beside ${streams} streams of ${runs} runs (95 of 100 within ${(busy[Math.floor(busy.length * 0.95)] ?? 0).toFixed(0)}, slowest ${(busy.at(-1) ?? 0).toFixed(0)}; ${busy.length} lists)`,
  )
  expect(middle(busy) - middle(quiet)).toBeLessThan(100)
})
