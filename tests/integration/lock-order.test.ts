import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import type { OpenAnswer } from '@/lib/protocol/run/run-delta'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import { openShownAnswers } from '@/lib/runs/engine/shown-answers'
import { openJournalWriter } from '@/lib/runs/journal/journal-writer'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { runInput, runSnapshot } from '@/tests/support/run-fixture'

const instanceId = randomUUID()
const snapshot = runSnapshot({ configurationId: null })
let userId: string
let runIds: string[]

beforeAll(async () => {
  const { actor } = await addPerson('admin')
  userId = actor.userId
  const start = {
    ...runInput({ actor, snapshot }),
    accepted: [],
    rejected: [],
    nonce: 'n',
    canary: '',
  }
  const run = {
    userId,
    request: {},
    prompt: '',
    status: 'running' as const,
    instanceId,
    lastSeq: 1,
  }
  runIds = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const events = { create: [{ seq: 1, type: 'run-start', data: start as object }] }
      return (await db().run.create({ data: { ...run, events } })).id
    }),
  )
})

afterAll(() => db().run.deleteMany({ where: { instanceId } }))

/** Returns the same things in another order each time. */
function shuffled<T>(things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ thing }) => thing)
}

async function countDeadlocks(): Promise<number> {
  const text =
    'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()'
  // Each session of PostgreSQL reports what it counted when it ends, or when it is told.
  await database().pool.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await database().pool.query<{ count: number }>(text)
  return rows[0]?.count ?? Number.NaN
}

test('the journals of many runs and what is shown of them never wait for each other in a circle', async () => {
  const before = await countDeadlocks()
  const writer = openJournalWriter(database(), instanceId, { retryMs: 50, goesOn: () => true })
  let length = 0
  const shown = Array.from({ length: 3 }, () =>
    openShownAnswers(database(), instanceId, () => {
      length += 400
      const pieces = [
        { type: 'text-delta' as const, data: { round: 1, text: 'w '.repeat(length) } },
      ]
      return shuffled(runIds).map(
        (runId) => ({ runId, start: length, length, pieces }) as unknown as OpenAnswer,
      )
    }),
  )
  const until = performance.now() + 4_000
  const write = async () => {
    for (let seq = 2; performance.now() < until; seq++) {
      const at = Date.now()
      // Ends of calls are noted on the rows of their runs by a trigger.
      const call = { round: 1, callId: `call ${seq}`, name: `tool ${seq}`, durationMs: 1 }
      const ended = {
        verdict: { allowed: true as const },
        outcome: { type: 'cancelled', reason: '' },
      }
      const body = (
        seq % 2 === 0
          ? {
              type: 'round-start',
              data: { round: seq, closing: false, target: 0, offered: [], contextTokens: 1 },
            }
          : { type: 'call-end', data: { ...call, ...ended } }
      ) as RunEventBody
      const written = await Promise.all(
        shuffled(runIds).map((runId) =>
          writer.write({
            facts: { runId, userId, snapshot },
            events: [{ ...body, runId, seq, at }],
            // Ends of calls, of uneven numbers, leave it as it is.
            rowSeq: seq - 1 - (seq % 2 === 0 && seq > 2 ? 1 : 0),
          }),
        ),
      )
      expect(new Set(written)).toEqual(new Set(['written']))
    }
  }
  const show = async (store: () => Promise<void>) => {
    while (performance.now() < until) await store()
  }
  await Promise.all([write(), ...shown.map(show)])
  expect(await countDeadlocks()).toBe(before)
}, 30_000)
