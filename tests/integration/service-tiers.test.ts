import { afterAll, beforeAll, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { repriceRuns } from '@/lib/domains/usage/reprice'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let site: RunSite
let engine: Awaited<ReturnType<typeof startTestEngine>>

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(server.url)
  engine = await startTestEngine()
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Lets a gateway choose the server of the model, at a price of its own. */
const elsewhere = { extraBody: { provider: { order: ['dear'] } } }

/** Makes a run of 2,000 input and 4,000 output tokens. */
async function runIn(serviceTier: string) {
  return runWith({ serviceTier })
}

async function runWith(options: { serviceTier: string } | { extraBody: object }) {
  const where = { identifier: site.configuration }
  await db().configuration.update({ where, data: { parameters: options } })
  const { runId } = await start(site, '[[say: done]] [[usage 2000 4000]]')
  return { runId, end: foldRun(await collect(site.admin, runId)).end }
}

const costOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).costMicroUsd

test('in a service tier or with a field that may cost more, a model counts as one without a price', async () => {
  const budget = { scope: 'site', window: 'day', unit: 'micro-usd', amount: 1_000_000 } as const
  const { id } = await budgetVerbs.create(site.admin, budget)
  const { end } = await runIn('priority')
  expect(end?.reason).toBe('no-price')
  expect(end?.message).toContain('test-model has no price in the service tier priority')
  const routed = await runWith(elsewhere)
  expect(routed.end?.message).toContain('has no price with the extra body field provider')
  expect((await runIn('flex')).end?.reason).toBe('completed')
  await budgetVerbs.update(site.admin, { id, amount: 1_000_000, unpriced: 'count-tokens' })
  expect((await runIn('priority')).end).toMatchObject({ reason: 'completed', costMicroUsd: null })
})

test('a cost cap that stops runs refuses such a run', async () => {
  const costCap = { mode: 'enforce', limitMicroUsd: 1_000_000 } as const
  await runIn('priority')
  await expect(start(site, 'Hi.', { costCap })).rejects.toThrow('in the service tier priority')
  await runWith(elsewhere)
  await expect(start(site, 'Hi.', { costCap })).rejects.toThrow(
    'with the extra body field provider',
  )
})

test('the cost of such a run stays unknown when past costs are recomputed', async () => {
  const dear = await runIn('priority')
  const plain = await runIn('flex')
  const [costBefore, record] = [
    await costOf(plain.runId),
    await db().usageRecord.findFirstOrThrow({ where: { runId: dear.runId } }),
  ]
  expect(costBefore).toBe(66_000n)
  expect(record).toMatchObject({ costMicroUsd: null, unpricedTier: true })
  const { runId } = await runWith(elsewhere)
  const routed = await db().usageRecord.findFirstOrThrow({ where: { runId } })
  expect(routed).toMatchObject({ costMicroUsd: null, unpricedTier: true })
  const modelId = record.modelRecordId ?? ''
  await db().modelPrice.updateMany({
    where: { modelRecordId: modelId },
    data: { output: 30_000_000 },
  })
  await repriceRuns(site.admin, { modelId })
  expect(await costOf(plain.runId)).toBe(126_000n)
  expect(await costOf(dear.runId)).toBeNull()
})
