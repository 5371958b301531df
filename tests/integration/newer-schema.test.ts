import { afterAll, expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import type { Engine } from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes, every } from '@/lib/runs/engine/start-engine'
import { db } from '@/tests/support/fixture-db'

const open: Engine[] = []
afterAll(async () => {
  for (const engine of open) await engine.close()
})

async function openServer(host: string): Promise<() => number> {
  let told = 0
  const onNewerSchema = () => {
    told += 1
  }
  const config = { kind: 'server' as const, database: database(), host, every, onNewerSchema }
  open.push(await openEngine({ ...config, times: engineTimes }))
  return () => told
}

test('servers that run are told within 5 s that a newer version migrated their database, once each', async () => {
  const [one, other] = [await openServer('one'), await openServer('other')]
  const beats = async () =>
    (await db().instance.findMany()).map(({ heartbeatAt }) => heartbeatAt.getTime())
  const first = await beats()
  await expect.poll(async () => (await beats()).every((at, n) => at > (first[n] ?? 0))).toBe(true)
  expect([one(), other()]).toEqual([0, 0])
  await db().$executeRaw`INSERT INTO applied_migrations VALUES ('20991231235959_of_the_future', '')`
  try {
    await expect.poll(() => [one(), other()], { timeout: 5_000 }).toEqual([1, 1])
    const next = await beats()
    await expect.poll(async () => (await beats()).every((at, n) => at > (next[n] ?? 0))).toBe(true)
    expect([one(), other()]).toEqual([1, 1])
  } finally {
    await db().$executeRaw`DELETE FROM applied_migrations WHERE name LIKE '2099%'`
  }
})
