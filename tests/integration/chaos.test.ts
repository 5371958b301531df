import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { db } from '@/tests/support/fixture-db'
import { boundaries, type Interrupted, openVictims, targetsIn } from '@/tests/support/kill-workers'
import {
  isFullChaos,
  openWritingRuns,
  report,
  type WritingRun,
  type WritingRuns,
} from '@/tests/support/writing-runs'

/** `npm run chaos` kills servers 200 times, or as often as it is told to. */
const killsInAll = isFullChaos ? Number(process.env.TOOLGATE_CHAOS_KILLS ?? 200) : 5
const plans = isFullChaos
  ? [1, 2, 5].map((servers) => ({ servers, kills: Math.ceil(killsInAll / 3) }))
  : [{ servers: 2, kills: killsInAll }]
const activeRuns = 8

let writing: WritingRuns
const servers = openVictims()

beforeAll(async () => {
  writing = await openWritingRuns()
})

afterEach(servers.close)

afterAll(() => writing.close())

function fail(why: string): never {
  throw new Error(why)
}

/** Returns how long each run stood still after its server was killed, in ms, in order of size. */
async function pausesOf(interrupted: Interrupted[]): Promise<number[]> {
  const pauses: number[] = []
  for (const { runId, killedAt } of interrupted) {
    const next = await db().runEventRow.findFirst({
      where: { runId, at: { gte: killedAt } },
      orderBy: { seq: 'asc' },
    })
    if (next) pauses.push(next.at.getTime() - killedAt.getTime())
  }
  return pauses.sort((a, b) => a - b)
}

test.each(plans)(
  '$kills kills of $servers servers lose no run, double no write and miss no event',
  async ({ servers: count, kills }) => {
    await servers.begin(count)
    const runs: WritingRun[] = []
    const targets = targetsIn(runs, writing.startOne)
    const interrupted: Interrupted[] = []
    for (let kill = 0; kill < kills; kill++) {
      const missing = activeRuns - (await writing.findActive(runs)).length
      runs.push(...(await Promise.all(Array.from({ length: missing }, writing.startOne))))
      const boundary = boundaries[kill % boundaries.length] ?? 'any moment'
      interrupted.push(...(await servers.killAt(boundary, targets)))
      // With five servers, one may still be starting at the next kill.
      await servers.untilStarted(Math.floor(count / 3))
    }
    await writing.untilEnded(runs)
    const unknown = await writing.expectWhole(runs)
    const pauses = await pausesOf(interrupted)
    const at = (share: number) => pauses[Math.floor((pauses.length - 1) * share)]
    report(
      `${count} servers, ${kills} kills: ${runs.length} runs, 0 lost, 0 doubled, 0 events missing; ${unknown} writes of unknown outcome; ${pauses.length} times a run stood still: ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (longest)`,
    )
    expect(interrupted.length).toBeGreaterThan(0)
  },
  120_000 + killsInAll * 10_000,
)

const mostTurns = 10

/** Holds conversations one after the other, each turn once the one before it has ended, for as long as `goesOn`. */
async function converse(runs: WritingRun[], goesOn: () => boolean): Promise<WritingRun[][]> {
  const conversations: WritingRun[][] = []
  while (goesOn()) {
    const turns: WritingRun[] = []
    conversations.push(turns)
    while (goesOn() && turns.length < mostTurns) {
      const turn = await writing.startTurn(turns.at(-1)?.runId ?? null)
      turns.push(turn)
      runs.push(turn)
      await expect(writing.startTurn(turn.runId)).rejects.toThrow('has not ended')
      await writing.untilEnded([turn])
    }
  }
  return conversations
}

/** Checks that turns continue one another, each after the end of the one before, and that the last one was asked with all of them. */
async function expectConversation(turns: readonly WritingRun[]): Promise<void> {
  const ids = turns.map(({ runId }) => runId)
  const rows = await db().run.findMany({
    where: { id: { in: ids } },
    include: { events: { where: { type: 'run-end' } } },
  })
  const ordered = ids.map((id) => rows.find((row) => row.id === id) ?? fail(`No run ${id}.`))
  for (const [place, { continues, conversationId, createdAt }] of ordered.entries()) {
    const before = ordered[place - 1]
    expect(continues).toBe(before?.id ?? null)
    expect(conversationId).toBe(before ? ids[0] : null)
    // Processes learn the time of the database from its answers, so they may differ by what these take.
    const ended = before?.events.at(-1)?.at.getTime() ?? 0
    expect(ended).toBeLessThanOrEqual(createdAt.getTime() + 1_000)
  }
  const last = turns.at(-1)?.lines.at(-1) ?? ''
  const request = writing.requests.findLast(({ prompt }) => prompt.includes(last))
  const messages: unknown = request?.body.messages
  if (!Array.isArray(messages)) fail('The last turn was never asked.')
  const said = (role: string) =>
    messages.filter((message) => message.role === role).map(({ content }) => String(content ?? ''))
  const placeOf = (text: string) => turns.findIndex(({ lines }) => text.includes(lines[0] ?? ''))
  expect(said('user').map(placeOf)).toEqual(turns.map((_turn, place) => place))
  // Each turn made two calls and then answered; the last one had not answered yet.
  const answers = turns.flatMap(({ answer }) => ['', '', answer]).slice(0, -1)
  expect(said('assistant')).toEqual(answers)
}

test(
  'kills of servers break no conversation: each turn ends once, and continues one that ended',
  async () => {
    const kills = isFullChaos ? Math.ceil(killsInAll / 3) : 3
    await servers.begin(2)
    const runs: WritingRun[] = []
    const targets = targetsIn(runs, writing.startOne)
    let killing = true
    const talking = Promise.all([1, 2, 3, 4].map(() => converse(runs, () => killing)))
    talking.catch(() => undefined)
    try {
      for (let kill = 0; kill < kills; kill++) {
        const boundary = boundaries[kill % boundaries.length] ?? 'any moment'
        await servers.killAt(boundary, targets)
        await servers.untilStarted()
      }
    } finally {
      killing = false
    }
    const conversations = (await talking).flat()
    await writing.untilEnded(runs)
    const unknown = await writing.expectWhole(runs)
    for (const turns of conversations) await expectConversation(turns)
    const longest = Math.max(...conversations.map(({ length }) => length))
    report(
      `2 servers, ${kills} kills: ${conversations.length} conversations of ${runs.length} turns, at most ${longest} each, 0 lost, 0 doubled; ${unknown} writes of unknown outcome`,
    )
    expect(longest).toBeGreaterThan(1)
  },
  120_000 + killsInAll * 10_000,
)

test(
  'kills of servers break no panel: each member ends once, and none is doubled',
  async () => {
    const kills = isFullChaos ? Math.ceil(killsInAll / 3) : 3
    await servers.begin(2)
    const panels: WritingRun[][] = []
    const targets = {
      where: () => ({ id: { in: panels.flat().map(({ runId }) => runId) } }),
      startMore: async () => panels.push(await writing.startFour()),
    }
    for (let kill = 0; kill < kills; kill++) {
      while ((await writing.findActive(panels.flat())).length < activeRuns)
        panels.push(await writing.startFour())
      const boundary = boundaries[kill % boundaries.length] ?? 'any moment'
      await servers.killAt(boundary, targets)
      await servers.untilStarted()
    }
    await writing.untilEnded(panels.flat())
    const unknown = await writing.expectPanels(panels)
    const ids = panels.map((members) => members.map(({ runId }) => runId))
    const rows = await db().panel.findMany({
      where: { runs: { some: { id: { in: ids.flat() } } } },
      include: { runs: { select: { id: true, configurationId: true } } },
    })
    expect(rows).toHaveLength(panels.length)
    for (const { runs } of rows) {
      expect(new Set(runs.map(({ configurationId }) => configurationId)).size).toBe(4)
      expect(ids).toContainEqual(expect.arrayContaining(runs.map(({ id }) => id)))
    }
    report(
      `2 servers, ${kills} kills: ${panels.length} panels of 4, 0 members lost, 0 doubled; ${unknown} writes of unknown outcome`,
    )
  },
  120_000 + killsInAll * 10_000,
)

test('runs go on after all connections to PostgreSQL were cut', async () => {
  await servers.begin(2)
  const runs = await Promise.all(Array.from({ length: activeRuns }, writing.startOne))
  for (let cut = 0; cut < (isFullChaos ? 5 : 2); cut++) {
    await wait(300)
    await db().$queryRaw`
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
  }
  await writing.untilEnded(runs)
  await writing.expectWhole(runs)
})

test.skipIf(!isFullChaos)(
  'a server whose connections are all busy for longer than a dead one is silent keeps its runs',
  async () => {
    const [worker] = await servers.begin(1)
    const runs = await Promise.all(Array.from({ length: 40 }, writing.startOne))
    await wait(200)
    const held = db().$executeRaw`
      DO $$ BEGIN LOCK TABLE runs IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(9); END $$`
    await servers.begin(1)
    await held
    const owners = await db().instance.findMany({
      where: { id: worker?.instanceId ?? fail('No server.') },
    })
    expect(owners).toHaveLength(1)
    await writing.untilEnded(runs)
    await writing.expectWhole(runs)
  },
  120_000,
)
