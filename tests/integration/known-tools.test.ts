import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let model: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  model = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(model.url)
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await model.close()
})

/** Returns how often a run to its end reads the tools of servers. */
async function readsOfARun(): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const { runId } = await start(site, '[[call list_users {}]] [[then]] [[say: done]]')
    await collect(site.admin, runId)
    const texts = sent.mock.calls.map(([request]) => JSON.stringify(request))
    expect(texts.some((text) => text.includes('journal'))).toBe(true)
    return texts.filter((text) => /FROM .{0,20}remote_tools/.test(text)).length
  } finally {
    sent.mockRestore()
  }
}

test('runs read the tools of servers again only after a change of the policy', async () => {
  await readsOfARun()
  expect(await readsOfARun()).toBe(0)
  const toolName = 'list_users'
  const author = { changedByLabel: 'a test', enabled: true }
  await db().toolOverride.upsert({
    where: { toolName },
    create: { toolName, ...author },
    update: author,
  })
  expect(await readsOfARun()).toBeGreaterThan(0)
  expect(await readsOfARun()).toBe(0)
})
