import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { releaseLeftBehind } from '@/lib/domains/budgets/release-reservations'
import { database, pool } from '@/lib/kernel/db'
import { claimRuns } from '@/lib/runs/engine/instances'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'

async function addInstance(): Promise<string> {
  const { id } = await db().instance.create({
    data: { id: randomUUID(), kind: 'server', host: 'elsewhere', pid: 1 },
  })
  return id
}

async function addRun(instanceId: string | null): Promise<string> {
  const { actor } = await addPerson('admin')
  const { id } = await db().run.create({
    data: { userId: actor.userId, request: {}, prompt: '', status: 'running', instanceId },
  })
  return id
}

const ownerOf = async (id: string) =>
  (await db().run.findUniqueOrThrow({ where: { id } })).instanceId

test('a run that nobody alive holds is taken once', async () => {
  const [mine, other] = [await addInstance(), await addInstance()]
  for (const owner of [null, randomUUID()]) {
    const runId = await addRun(owner)
    expect(await claimRuns(database(), mine, 10)).toEqual([runId])
    expect(await claimRuns(database(), other, 10)).toEqual([])
    expect(await ownerOf(runId)).toBe(mine)
  }
})

test('two processes that reach for a run at the same moment do not both get it', async () => {
  const [mine, other] = [await addInstance(), await addInstance()]
  const runId = await addRun(null)
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await client.connect()
  try {
    await client.query('BEGIN')
    await client.query('UPDATE runs SET "instanceId" = $2 WHERE id = $1', [runId, other])
    expect(await claimRuns(database(), mine, 10)).toEqual([])
    await client.query('COMMIT')
    expect(await claimRuns(database(), mine, 10)).toEqual([])
    expect(await ownerOf(runId)).toBe(other)
  } finally {
    await client.end()
  }
})

test('many processes that claim at the same moment share the runs, each once', async () => {
  const owners = await Promise.all([1, 2, 3, 4].map(addInstance))
  const runIds = await Promise.all(Array.from({ length: 40 }, () => addRun(null)))
  const claimed: string[] = []
  const claimAll = async (owner: string) => {
    for (;;) {
      const some = await claimRuns(database(), owner, 5)
      claimed.push(...some)
      for (const runId of some) expect(await ownerOf(runId)).toBe(owner)
      if (some.length === 0 && claimed.length >= runIds.length) return
    }
  }
  await Promise.all(owners.map(claimAll))
  expect(claimed.sort()).toEqual(runIds.sort())
})

test('a run that is claimed takes along what its request reserved', async () => {
  const [mine, dead] = [await addInstance(), randomUUID()]
  const runId = await addRun(dead)
  const { id: budgetId } = await db().budget.create({
    data: {
      scope: 'site',
      window: 'day',
      unit: 'requests',
      amount: 10n,
      createdByLabel: 'Ada',
    },
  })
  const { id } = await db().budgetReservation.create({
    data: {
      budgetId,
      runId,
      instanceId: dead,
      callId: randomUUID(),
      windowStart: new Date(),
      reserved: 1n,
    },
  })
  expect(await releaseLeftBehind(pool())).toBe(0)
  expect(await claimRuns(database(), mine, 10)).toEqual([runId])
  expect(await releaseLeftBehind(pool())).toBe(0)
  expect(await db().budgetReservation.findUniqueOrThrow({ where: { id } })).toMatchObject({
    instanceId: mine,
    status: 'open',
  })
})
