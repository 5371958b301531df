import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { database, pool } from '@/lib/kernel/db'
import type { Engine } from '@/lib/runs/engine/engine'
import { claimRuns, findOverdueRuns } from '@/lib/runs/engine/instances'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { statementsOf } from '@/tests/support/statements-of'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: async () => ({ text: 'Done.' }) })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  await pool().query(
    `INSERT INTO runs (id, "userId", request, prompt, status, "createdAt", "endedAt")
     SELECT gen_random_uuid(), $1::uuid, '{}', repeat('x', 300), 'ended', now() - n * interval '1 minute', now()
     FROM generate_series(1, 20000) n`,
    [site.admin.actor.userId],
  )
  await pool().query('ANALYZE runs')
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

test('a heartbeat and a run do not read all past runs', async () => {
  const sent = await statementsOf(async () => {
    await claimRuns(database(), randomUUID(), 50)
    await findOverdueRuns(database(), randomUUID(), 0)
    const { runId } = await start(site, 'Hello')
    await collect(site.admin, runId)
  })
  const statements = sent.filter(({ text }) => /\bruns\b/.test(text))
  expect(statements.length).toBeGreaterThan(4)
  for (const { text, values } of statements) {
    const { rows } = await pool().query({ text: `EXPLAIN ${text}`, values })
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan, text).not.toMatch(/Seq Scan on (public\.)?runs\b/)
  }
})
