import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { eventsIn, isDelta } from '@/lib/protocol/run/run-delta'
import type { Engine } from '@/lib/runs/engine/engine'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { readRun } from '@/lib/runs/read-run'
import { RunFilter } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import { resetTool, switchTool } from '@/lib/toolset/tools/tool-verbs'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { shownTexts } from '@/tests/support/run-fixture'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { words } from '@/tests/support/words'

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startEngine('server')
  site = await addRunSite(server.url)
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

const twoRounds =
  '[[call list_groups {"limit":5}]] [[call get_runtime_info {}]] [[then]] [[call list_users {}]] [[then]] [[say slowly 5ms: all is well]]'

describe('a run', () => {
  test('works rounds with parallel calls to an answer, and its journal has no gap', async () => {
    const { runId } = await start(site, twoRounds)
    const live = await collect(site.admin, runId)
    const state = foldRun(live)

    expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
    expect(state.rounds.map((round) => round.calls.map((call) => call.name))).toEqual([
      ['list_groups', 'get_runtime_info'],
      ['list_users'],
      [],
    ])
    expect(state.rounds.at(-1)?.text).toBe('all is well')
    expect(
      state.rounds.flatMap((round) => round.calls).every((call) => call.state.type === 'ended'),
    ).toBe(true)

    const stored = (await readRun(site.admin, runId)).events
    expect(live.some(isDelta)).toBe(true)
    expect(stored).toEqual(eventsIn(live))
    expect(stored.map((event) => event.seq)).toEqual(stored.map((_, index) => index + 1))
    expect(foldRun(stored)).toEqual(state)
  })

  test('adds up tokens and cost in the list, one usage record per response', async () => {
    const { runId } = await start(site, twoRounds)
    const state = foldRun(await collect(site.admin, runId))
    const [row] = (await listRuns(site.admin, RunFilter.parse({}))).rows
    expect(row).toMatchObject({
      runId,
      status: 'ended',
      rounds: 3,
      calls: 3,
      inputTokens: state.usage.inputTokens,
      outputTokens: state.usage.outputTokens,
      costMicroUsd: state.costMicroUsd,
    })
    const records = await db().usageRecord.findMany({ where: { runId } })
    expect(records).toHaveLength(3)
    expect(records.reduce((sum, record) => sum + Number(record.costMicroUsd), 0)).toBe(
      state.costMicroUsd,
    )
  })

  test('shows text before it ends, and a watcher who joins later sees the rest once', async () => {
    const text = words(25)
    const { runId } = await start(site, `[[say slowly 60ms: ${text}]]`)
    const begun = await collect(site.admin, runId, {
      until: (event) => event.type === 'text-delta',
    })
    expect(begun.some((event) => event.type === 'run-end')).toBe(false)
    const { lastSeq } = foldRun(begun)
    const shown = foldRun(begun).rounds[0]?.text ?? ''
    expect(text.startsWith(shown)).toBe(true)
    const rest = await collect(site.admin, runId, { after: lastSeq })
    expect(eventsIn(rest).every(({ seq }) => seq > lastSeq)).toBe(true)
    const streamed = rest.filter(isDelta)
    const again = shownTexts(streamed).join('')
    expect(again.startsWith(shown)).toBe(true)
    expect(foldRun([...begun, ...streamed]).rounds[0]?.text).toBe(again)
    expect(foldRun([...begun, ...rest]).rounds[0]?.text).toBe(text)
  })

  test('is stopped within two seconds and keeps what was said', async () => {
    const { runId } = await start(
      site,
      '[[say slowly 100ms: a b c d e f g h i j k l m n o p q r s t u v w x y z]]',
    )
    await collect(site.admin, runId, { until: (event) => event.type === 'text-delta' })
    const askedAt = Date.now()
    expect(await cancelRun(site.admin, { runId, reason: 'enough' })).toEqual({
      status: 'cancelling',
    })
    const state = foldRun(await collect(site.admin, runId))
    expect(state.end?.reason).toBe('cancelled')
    expect((state.end?.at ?? 0) - askedAt).toBeLessThan(promised(2_000))
    expect(state.rounds[0]?.text).toMatch(/^a/)
    expect(await cancelRun(site.admin, { runId, reason: 'again' })).toEqual({ status: 'ended' })
    expect(await db().auditEntry.count({ where: { action: 'run.cancel', objectId: runId } })).toBe(
      1,
    )
  })

  test('is refused a tool that is switched off between two rounds, and is not offered it', async () => {
    const slowThenAsk =
      '[[call get_runtime_info {}]] [[then]] [[wait 700ms]] [[call list_groups {}]] [[then]] [[call list_groups {}]] [[then]] [[say: done]]'
    const { runId } = await start(site, slowThenAsk)
    await collect(site.admin, runId, { until: (event) => event.type === 'call-end' })
    await switchTool(site.admin, { name: 'list_groups', enabled: false, reason: '' })
    const state = foldRun(await collect(site.admin, runId))
    await resetTool(site.admin, { name: 'list_groups' })

    const calls = state.rounds
      .flatMap((round) => round.calls)
      .filter((call) => call.name === 'list_groups')
    expect(calls.map((call) => call.state)).toMatchObject([
      { outcome: { type: 'denied', gate: 'enabled' } },
      { outcome: { type: 'denied', gate: 'enabled' } },
    ])
    expect(state.rounds[2]?.offered).not.toContain('list_groups')
    expect(state.end?.reason).toBe('completed')
  })

  test('names what was asked for and refused in its first event', async () => {
    const { runId } = await start(site, 'hello', {
      tools: ['list_users', 'get_env_raw', 'no_such_tool'],
    })
    const [first] = await collect(site.admin, runId)
    expect(first).toMatchObject({
      type: 'run-start',
      data: {
        accepted: [{ name: 'list_users' }],
        rejected: [
          { name: 'get_env_raw', gate: 'enabled' },
          { name: 'no_such_tool', gate: 'registered' },
        ],
      },
    })
  })

  test('offers no tools when none are picked', async () => {
    const { runId } = await start(site, 'hello without tools', { tools: [] })
    await collect(site.admin, runId)
    const request = server.requests.findLast((one) => one.prompt.includes('hello without tools'))
    expect(request?.body).not.toHaveProperty('tools')
  })

  test('is the same run for the same idempotency key, and a conflict for another prompt', async () => {
    const wish = { idempotencyKey: 'once' }
    const both = await Promise.all([start(site, 'hello', wish), start(site, 'hello', wish)])
    expect(new Set(both.map((one) => one.runId)).size).toBe(1)
    expect(both.filter((one) => one.created)).toHaveLength(1)
    await expect(start(site, 'something else', wish)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('takes a prompt with characters no database stores, and refuses one that is too long', async () => {
    const { runId } = await start(site, 'nul \0, half a pair \ud83d, escape \u001b[31m')
    const state = foldRun(await collect(site.admin, runId))
    expect(state.end?.reason).toBe('completed')
    expect(state.start?.prompt).toBe('nul , half a pair \ufffd, escape [31m')
    await expect(start(site, 'x'.repeat(1_000_000))).rejects.toMatchObject({
      code: 'invalid-input',
      fields: { prompt: expect.stringContaining('200,000') },
    })
  })

  test('is nobody else’s business', async () => {
    const { runId } = await start(site, 'hello')
    const stranger = await addPerson('member')
    await expect(readRun(stranger, runId)).rejects.toMatchObject({ status: 404 })
    await expect(cancelRun(stranger, { runId, reason: '' })).rejects.toMatchObject({ status: 404 })
    await expect(collect(stranger, runId)).rejects.toMatchObject({ status: 404 })
    expect((await listRuns(stranger, RunFilter.parse({}))).total).toBe(0)
    await expect(readRun(site.admin, '../etc/passwd')).rejects.toMatchObject({ status: 404 })
  })

  test('never keeps the provider’s key in journal, audit or log', async () => {
    const { runId } = await start(site, '[[status 401]]')
    const state = foldRun(await collect(site.admin, runId))
    expect(state.end).toMatchObject({
      reason: 'provider-error',
      failure: { category: 'auth', status: 401 },
    })
    const [events, audit, logs] = await Promise.all([
      db().runEventRow.findMany(),
      db().auditEntry.findMany(),
      db().logEntry.findMany(),
    ])
    const everything = JSON.stringify([events, audit, logs], (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(everything).not.toContain('sk-test-0123456789abcdef')
  })
})

describe('the engine', () => {
  test('goes on with a run whose process is gone', async () => {
    const { runId: model } = await start(site, 'left behind')
    await collect(site.admin, model)
    const runId = await leaveBehind(model)
    const state = foldRun(await collect(site.admin, runId))
    expect(state.end?.reason).toBe('completed')
    expect(state.rounds).toHaveLength(1)
    expect((await db().run.findUniqueOrThrow({ where: { id: runId } })).instanceId).toBe(
      engine.instanceId,
    )
  })

  test('stops writing once another process owns the run', async () => {
    const { runId } = await start(site, `[[say slowly 50ms: ${words(200)}]]`)
    await collect(site.admin, runId, { until: (event) => event.type === 'text-delta' })
    await db().instance.create({
      data: {
        id: '0190a0a0-0000-7000-8000-000000000001',
        kind: 'server',
        host: 'elsewhere',
        pid: 1,
      },
    })
    await db().run.update({
      where: { id: runId },
      data: { instanceId: '0190a0a0-0000-7000-8000-000000000001' },
    })
    await expect
      .poll(async () => {
        const before = await db().runEventRow.count({ where: { runId } })
        await new Promise((resolve) => setTimeout(resolve, 150))
        return (await db().runEventRow.count({ where: { runId } })) - before
      })
      .toBe(0)
    expect((await db().run.findUniqueOrThrow({ where: { id: runId } })).status).toBe('running')
  })
})

/**
 * Adds a copy of a run as a crash in the middle of its first answer leaves it: unfinished, and claimed by no live
 * process.
 */
async function leaveBehind(model: string): Promise<string> {
  const { events, ...run } = await db().run.findUniqueOrThrow({
    where: { id: model },
    include: { events: { where: { seq: { lte: 2 } } } },
  })
  const copy = await db().run.create({
    data: {
      userId: run.userId,
      configurationId: run.configurationId,
      request: { tools: null, maxRounds: 5 },
      prompt: run.prompt,
      status: 'running',
      instanceId: randomUUID(),
      lastSeq: 2,
      events: {
        create: events.map(({ seq, type, data, at }) => ({ seq, type, at, data: data as object })),
      },
    },
  })
  return copy.id
}
