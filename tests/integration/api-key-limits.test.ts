import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '@/lib/domains/api-keys/verbs'
import { remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'
import { startTestEngine } from '../support/test-engine'

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Adds a key of the admin, and returns it as a site whose runs are started with it. */
async function addKey(name: string): Promise<RunSite & { keyId: string }> {
  const { id } = await createApiKey(site.admin, { name, scopes: ['runs:write', 'runs:read'] })
  const ctx: Ctx = { ...site.admin, via: 'api', apiKeyId: id }
  return { ...site, admin: ctx, keyId: id }
}

async function work(from: RunSite, prompt: string, wishes: Partial<StartRunInput> = {}) {
  const { runId } = await start(from, prompt, wishes)
  return foldRun(await collect(from.admin, runId))
}

test('the budget of a key counts the runs started with it, and no others', async () => {
  const [own, other] = [await addKey('Nightly'), await addKey('Other')]
  const budget = { scope: 'key', window: 'day', unit: 'requests', amount: 1 } as const
  const { id } = await budgetVerbs.create(site.admin, { ...budget, scopeId: own.keyId })
  const nobody = { ...budget, scopeId: site.admin.actor.userId }
  await expect(budgetVerbs.create(site.admin, nobody)).rejects.toMatchObject({
    fields: { scopeId: 'This API key does not exist. Pick another.' },
  })

  expect((await work(other, '[[say: one]]')).end?.reason).toBe('completed')
  expect((await work(site, '[[say: one]]')).end?.reason).toBe('completed')
  expect((await work(own, '[[say: one]]')).end?.reason).toBe('completed')
  const { end } = await work(own, '[[say: two]]')
  expect(end).toMatchObject({ reason: 'budget', notStarted: true })
  expect(end?.message).toMatch(/^Daily budget of API key Nightly used up/)
  expect((await work(other, '[[say: two]]')).end?.reason).toBe('completed')
  expect(await remainingBudgets(own.admin, [])).toMatchObject([{ id, left: 0, isUsedUp: true }])
  expect(await remainingBudgets(other.admin, [])).toEqual([])
  await budgetVerbs.remove(site.admin, { id })
})
