import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { freezeKey } from '@/lib/domains/settings/read-freeze'
import { outageOf } from '@/lib/kernel/database-errors'
import { pool } from '@/lib/kernel/db'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { needsNoApproval } from '@/tests/support/needs-no-approval'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

let server: ModelServer
let engine: Engine
let site: RunSite
let folder: string
let lines: string
/** Done once, while the model answers its first request: after the offer was made, before the call is decided. */
const sabotages: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-unreadable-'))
  lines = path.join(folder, 'lines.txt')
  setEnv({
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: lines,
  })
  server = await startModelServer({
    script: async ({ round }) => {
      if (round > 0) return { text: 'Done.' }
      await sabotages.shift()?.()
      return { calls: [{ name: 'append_line', arguments: { text: 'it ran' } }] }
    },
  })
  engine = await startTestEngine(quickTimes)
  site = await addRunSite(server.url)
  await needsNoApproval('append_line')
})

afterAll(async () => {
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const writtenLines = async () =>
  (await readFile(lines, 'utf8').catch(() => '')).split('\n').filter(Boolean)

/** Words that only an exception, a statement or a stack would bring into a journal. */
const leaks =
  /relation|column|syntax|prisma|postgres|select |update |zod|invalid_type|expected|errno|econn|terminat|\bat .*\.[jt]s\b/i

/** Renames a table, which PostgreSQL does not count as a change of the policy. */
const rename = async (from: string, to: string) => {
  await pool().query(`ALTER TABLE ${from} RENAME TO ${to}`)
  await pool().query('UPDATE policy_version SET version = version + 1')
}

test.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  [
    'the switches are gone',
    () => rename('tool_overrides', 'switches_elsewhere'),
    () => rename('switches_elsewhere', 'tool_overrides'),
  ],
  [
    'the switched-off groups are gone',
    () => rename('tool_groups_off', 'groups_elsewhere'),
    () => rename('groups_elsewhere', 'tool_groups_off'),
  ],
  [
    'the groups that the configuration allows make no sense',
    () => db().configuration.updateMany({ data: { allowedToolGroups: { extra: true } } }),
    () => pool().query('UPDATE configurations SET "allowedToolGroups" = NULL'),
  ],
  [
    'an approval rule makes no sense',
    () =>
      db().approvalRule.create({
        data: { name: 'Broken', toolName: 'nothing', conditions: 'x', createdByLabel: 'test' },
      }),
    () => db().approvalRule.deleteMany(),
  ],
  [
    'the action of a rule makes no sense',
    () =>
      db().approvalRule.create({
        data: { name: 'Broken', toolName: 'nothing', action: 'allow', createdByLabel: 'test' },
      }),
    () => db().approvalRule.deleteMany(),
  ],
])(
  'when %s, no call starts and nothing is sent until it can be read again',
  async (_what, breakIt, restore) => {
    sabotages.push(breakIt)
    const before = server.requests.length
    const { runId } = await start(site, 'write a line')
    const collected = collect(site.admin, runId)
    try {
      await collect(site.admin, runId, { until: (event) => event.type === 'call-end' })
      // The next request cannot be decided, so the engine lets go of the run and opens it again later.
      await expect.poll(() => engine.liveRuns.has(runId)).toBe(false)
      expect(server.requests.length).toBe(before + 1)
    } finally {
      await restore()
    }
    const events = await collected
    const state = foldRun(events)
    expect(state.end).toMatchObject({ reason: 'completed' })
    expect(state.rounds[0]?.offered).toContain('append_line')
    expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
      verdict: { allowed: false, gate: 'state', reason: expect.stringContaining('incident') },
      outcome: { type: 'denied', gate: 'state' },
    })
    expect(state.rounds[1]?.offered).toContain('append_line')
    expect(events.filter((event) => event.type === 'call-start')).toEqual([])
    expect(await writtenLines()).toEqual([])
    expect(JSON.stringify(events.slice(1))).not.toMatch(leaks)
  },
)

test('when the freeze makes no sense, it counts as a freeze or as unreadable, whichever is seen first', async () => {
  sabotages.push(() => db().setting.create({ data: { key: freezeKey, value: { by: 7 } } }))
  const { runId } = await start(site, 'write a line')
  const events = await collect(site.admin, runId).finally(() =>
    db().setting.delete({ where: { key: freezeKey } }),
  )
  expect(['frozen', 'completed']).toContain(foldRun(events).end?.reason)
  expect(events.filter((event) => event.type === 'call-start')).toEqual([])
  expect(await writtenLines()).toEqual([])
  expect(JSON.stringify(events.slice(1))).not.toMatch(leaks)
})

test('when the whole database is gone, no call starts until it is back, and then just once', async () => {
  const name = new URL(process.env.DATABASE_URL ?? '').pathname.slice(1)
  const other = new pg.Client({ connectionString: inject('databaseServer').url })
  await other.connect()
  const allow = (yes: boolean) => other.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${yes}`)
  const gone = new Promise<void>((resolve, reject) => {
    sabotages.push(async () => {
      await allow(false)
      await other
        .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
        .then(() => resolve(), reject)
    })
  })
  try {
    const { runId } = await start(site, 'write a line')
    await gone
    expect(await db().run.count().catch(outageOf)).toBe('away')
    // Decisions can be neither made nor recorded, and the run waits.
    await sleep(1_000)
    expect(await writtenLines()).toEqual([])
    await allow(true)
    const events = await collect(site.admin, runId)
    expect(foldRun(events).end).toMatchObject({ reason: 'completed' })
    expect(events.filter((event) => event.type === 'call-start')).toHaveLength(1)
    expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
    expect(await writtenLines()).toEqual(['it ran'])
    expect(JSON.stringify(events.slice(1))).not.toMatch(leaks)
  } finally {
    await allow(true)
    await other.end()
  }
})

test('when the switches cannot be read before a request, the model is asked later, and with its tools', async () => {
  await rm(lines, { force: true })
  const { read } = engine.policy
  let failures = 0
  const failOnce: typeof read = async (input, from) => {
    const isBeforeSecond = failures === 0 && (await writtenLines()).length > 0
    if (!isBeforeSecond) return read(input, from)
    failures += 1
    throw new Error('The switches are out of reach.')
  }
  sabotages.push(async () => vi.spyOn(engine.policy, 'read').mockImplementation(failOnce))
  const { runId } = await start(site, 'write a line')
  const state = foldRun(await collect(site.admin, runId))
  expect(failures).toBe(1)
  expect(state.end).toMatchObject({ reason: 'completed' })
  expect(state.rounds.map(({ offered }) => offered)).toEqual(
    [1, 2].map(() => expect.arrayContaining(['append_line'])),
  )
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
  expect(await writtenLines()).toEqual(['it ran'])
})

test('a call whose switches cannot be read for a second is made afterwards', async () => {
  await rm(lines, { force: true })
  const { read } = engine.policy
  let failures = 0
  sabotages.push(async () =>
    vi.spyOn(engine.policy, 'read').mockImplementation(async (input, from) => {
      if (failures >= 3) return read(input, from)
      failures += 1
      throw new Error('The switches are out of reach.')
    }),
  )
  const { runId } = await start(site, 'write a line')
  const state = foldRun(await collect(site.admin, runId))
  expect(failures).toBe(3)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({ outcome: { type: 'ok' } })
  expect(await writtenLines()).toEqual(['it ran'])
})
