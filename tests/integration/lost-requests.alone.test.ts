import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { database } from '@/lib/kernel/db'
import { removeInstance } from '@/lib/runs/engine/instances'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { modelTarget, runInput, runSnapshot } from '@/tests/support/run-fixture'

async function addInstance(): Promise<string> {
  const { id } = await db().instance.create({
    data: { id: randomUUID(), kind: 'server', host: 'elsewhere', pid: 1 },
  })
  return id
}

const target = modelTarget({ connectionId: randomUUID(), modelRecordId: randomUUID() })
const snapshot = runSnapshot({ configurationId: null, targets: [target] })
const input = { round: 1, closing: false, target: 0, offered: [], contextTokens: 120 }

/** Leaves a run whose process asked a model, and was killed after one word of the answer. An old version stored that. */
async function leaveBehind(
  instanceId: string,
  { damaged = false, shown = { shownStart: 0, shownTokens: 0 } } = {},
): Promise<string> {
  const { actor } = await addPerson('admin')
  const begun = {
    ...runInput({ actor, snapshot }),
    accepted: [],
    rejected: [],
    nonce: 'n',
    canary: '',
  }
  const events = [
    { seq: 1, type: damaged ? 'nonsense' : 'run-start', data: begun },
    { seq: 2, type: 'round-start', data: input },
    { seq: 3, type: 'text-delta', data: { round: 1, text: 'A word of it.' } },
  ]
  const { id } = await db().run.create({
    data: {
      userId: actor.userId,
      request: { tools: null, maxRounds: 5 },
      prompt: '',
      status: 'running',
      instanceId,
      lastSeq: 3,
      ...shown,
      events: { create: events.map((event) => ({ ...event, data: event.data as object })) },
    },
  })
  return id
}

const recordsOf = (runId: string) => db().usageRecord.findMany({ where: { runId } })

test('a request of a dead process is counted once, whichever server notices first', async () => {
  const instance = await addInstance()
  const runId = await leaveBehind(instance)
  await Promise.all([1, 2, 3].map(() => removeInstance(database(), instance)))
  expect(await recordsOf(runId)).toMatchObject([
    {
      round: 1,
      inputTokens: 120,
      outputTokens: 0,
      estimated: true,
      errorCategory: 'cancelled',
      costMicroUsd: 120n,
      connectionId: target.connectionId,
    },
  ])
  const run = await db().run.findUniqueOrThrow({ where: { id: runId }, include: { events: true } })
  expect(run).toMatchObject({ instanceId: null, inputTokens: 120, costMicroUsd: 120n, lastSeq: 4 })
  expect(run.events.filter(({ type }) => type === 'request-lost')).toHaveLength(1)
  await removeInstance(database(), instance)
  expect(await recordsOf(runId)).toHaveLength(1)
})

test('text that a dead process had shown of its open request counts as output, and that of an earlier request does not', async () => {
  const instance = await addInstance()
  const shown = await leaveBehind(instance, { shown: { shownStart: 2, shownTokens: 45 } })
  const earlier = await leaveBehind(instance, { shown: { shownStart: 1, shownTokens: 45 } })
  await removeInstance(database(), instance)
  expect(await recordsOf(shown)).toMatchObject([{ outputTokens: 45, estimated: true }])
  expect(await recordsOf(earlier)).toMatchObject([{ outputTokens: 0, estimated: true }])
})

test('a journal that nobody can read keeps no other run from being taken over', async () => {
  const instance = await addInstance()
  const damaged = await leaveBehind(instance, { damaged: true })
  const sound = await leaveBehind(instance)
  await removeInstance(database(), instance)
  expect(await recordsOf(damaged)).toEqual([])
  expect(await recordsOf(sound)).toHaveLength(1)
  expect(await db().run.count({ where: { instanceId: instance } })).toBe(0)
  expect(await db().instance.count({ where: { id: instance } })).toBe(0)
})

test('a lost request is recorded at the time of the database when the clock of the server is an hour ahead', async () => {
  const instance = await addInstance()
  const runId = await leaveBehind(instance)
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(now + 3_600_000)
    await removeInstance(database(), instance)
  } finally {
    vi.useRealTimers()
  }
  const lost = await db().runEventRow.findFirstOrThrow({ where: { runId, type: 'request-lost' } })
  expect(Math.abs(lost.at.getTime() - now)).toBeLessThan(60_000)
})
