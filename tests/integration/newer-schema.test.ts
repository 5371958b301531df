import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { database } from '@/lib/kernel/db'
import type { Engine } from '@/lib/runs/engine/engine'
import { openEngine } from '@/lib/runs/engine/open-engine'
import { engineTimes, every } from '@/lib/runs/engine/start-engine'
import { append, approvalSiteOfFile } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { doInWorker, startWorker, type Worker } from '@/tests/support/start-worker'

// The engines of its runs are those that the tests start.
const site = approvalSiteOfFile({ isWaiting: true })
const open: Engine[] = []
beforeAll(() => site.addRule())
afterAll(async () => {
  for (const engine of open) await engine.close()
})

async function openServer(host: string): Promise<() => number> {
  let notices = 0
  const onNewerSchema = () => {
    notices += 1
  }
  const config = { kind: 'server' as const, database: database(), host, every, onNewerSchema }
  open.push(await openEngine({ ...config, times: engineTimes }))
  return () => notices
}

test('servers that run are told with a heartbeat that a newer version migrated their database, once each', async () => {
  const [one, other] = [await openServer('one'), await openServer('other')]
  const beats = async () =>
    (await db().instance.findMany()).map(({ heartbeatAt }) => heartbeatAt.getTime())
  const first = await beats()
  await expect.poll(async () => (await beats()).every((at, n) => at > (first[n] ?? 0))).toBe(true)
  expect([one(), other()]).toEqual([0, 0])
  await db().$executeRaw`INSERT INTO applied_migrations VALUES ('20991231235959_of_the_future', '')`
  try {
    await expect.poll(() => [one(), other()], { timeout: 30_000 }).toEqual([1, 1])
    const next = await beats()
    await expect.poll(async () => (await beats()).every((at, n) => at > (next[n] ?? 0))).toBe(true)
    expect([one(), other()]).toEqual([1, 1])
  } finally {
    await db().$executeRaw`DELETE FROM applied_migrations WHERE name LIKE '2099%'`
    for (const engine of open.splice(0)) await engine.close()
  }
})

const newer = '20991231235959_of_the_future'

test.each<[string, (server: Worker) => Promise<unknown>, string]>([
  [
    'finds a newer schema',
    () => db().$executeRaw`INSERT INTO applied_migrations VALUES (${newer}, '')`,
    'A newer version of Toolgate has migrated the database, so this one stops',
  ],
  [
    'gets SIGTERM',
    async (server) => server.kill('SIGTERM'),
    'Stopping: active runs are handed over to other servers',
  ],
])(
  'a server that %s says why, hands its run over and ends in time',
  async (_what, happens, words) => {
    const server = await startWorker({ times: 'whole server', env: { LOG_LEVEL: 'info' } })
    let written = ''
    server.stdout.on('data', (chunk) => {
      written += String(chunk)
    })
    try {
      const prompt = append('a line that nobody approves')
      await doInWorker(server, { prompts: [prompt], site })
      await expect.poll(() => db().approval.count({ where: { status: 'pending' } })).toBe(1)
      const run = () => db().run.findFirstOrThrow({ where: { prompt }, orderBy: { id: 'desc' } })
      expect(await run()).toMatchObject({ instanceId: server.instanceId })
      const ended = once(server, 'exit')
      const began = performance.now()
      await happens(server)
      expect(await ended).toEqual([0, null])
      // Less than the 30 s after which a supervisor kills a process, and 5 s until a heartbeat sees it.
      expect(performance.now() - began).toBeLessThan(35_000)
      expect(written).toContain(words)
      expect(await run()).toMatchObject({ instanceId: null, endedAt: null })
      await db().run.deleteMany({ where: { prompt } })
    } finally {
      server.kill('SIGKILL')
      await db().$executeRaw`DELETE FROM applied_migrations WHERE name = ${newer}`
    }
  },
)
