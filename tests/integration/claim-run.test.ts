import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import { claimRun } from '@/lib/runs/engine/instances'
import { db } from '../support/fixture-db'
import { addPerson } from '../support/people'

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
  for (const runId of [await addRun(null), await addRun(randomUUID())]) {
    expect(await claimRun(database(), runId, mine)).toBe(true)
    expect(await claimRun(database(), runId, other)).toBe(false)
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
    const claim = claimRun(database(), runId, mine)
    await waitingForRow()
    await client.query('COMMIT')
    expect(await claim).toBe(false)
    expect(await ownerOf(runId)).toBe(other)
  } finally {
    await client.end()
  }
})

/** Resolves when some statement of this database waits for a row that another one changes. */
async function waitingForRow(): Promise<void> {
  for (;;) {
    const [row] = await db().$queryRaw<{ waiting: bigint }[]>`
      SELECT count(*) AS waiting FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`
    if (row && row.waiting > 0n) return
  }
}
