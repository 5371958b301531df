import type { ChildProcess } from 'node:child_process'
import pLimit from 'p-limit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { denseTexts } from '@/tests/support/dense-texts'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import type { Billing } from '@/tests/support/real-tokenizers'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startWorker, stopped } from '@/tests/support/start-worker'

const full = process.env.TOOLGATE_FULL_PROOF === '1'
const kinds = ['uuids', 'base64', 'hex', 'digits', 'CJK', 'emoji', 'code']
const outputTokens = 50
const prices = { input: 3, output: 15 }

let server: ModelServer
let site: RunSite
let workers: ChildProcess[] = []

if (full) vi.setConfig({ testTimeout: 600_000 })

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(server.url)
  workers = await Promise.all([startWorker(), startWorker()])
})

afterAll(async () => {
  await Promise.all(workers.map(stopped))
  await server.close()
})

/** Gives the site's model the name of a family and a short answer, so that almost all of its cost is its input. */
async function serveAs(modelId: string): Promise<void> {
  const { id } = await findConfiguration(site.admin, site.configuration)
  const { modelId: model } = await db().configuration.findUniqueOrThrow({ where: { id } })
  await db().model.update({
    where: { id: model },
    data: { modelId, maxOutputTokens: outputTokens },
  })
}

test.each<[modelId: string, billing: Billing]>([
  ['gpt-5', 'o200k'],
  ['gpt-4', 'cl100k'],
  ['qwen3-coder', 'o200k'],
  ['qwen3-coder', 'bytes'],
])('SPEC M2: dense texts never pass a budget: %s billed with %s', async (modelId, billing) => {
  await serveAs(modelId)
  await db().budget.deleteMany()
  const rounds = full ? 10 : 2
  const prompts = Array.from({ length: rounds }, (_, index) =>
    denseTexts(full ? 1_500 : 900, `${modelId} ${index}`).filter(([kind]) => kinds.includes(kind)),
  )
    .flat()
    .map(([, text]) => `[[wait 20ms]] [[say: done]] [[bill ${billing} ${outputTokens}]] ${text}`)
  // Money for about half of them, as each costs what its bytes do, or less.
  const dearest = Math.max(...prompts.map((prompt) => Buffer.byteLength(prompt))) + 600
  const amount = Math.ceil(
    (prompts.length / 2) * (dearest * prices.input * 0.5 + outputTokens * prices.output),
  )
  await budgetVerbs.create(site.admin, { scope: 'site', window: 'day', unit: 'micro-usd', amount })

  const runIds: string[] = []
  await pLimit(4).map(prompts, async (prompt) => {
    runIds.push((await start(site, prompt, { tools: [] })).runId)
  })
  const states = await Promise.all(
    runIds.map(async (runId) => foldRun(await collect(site.admin, runId))),
  )
  const reasons = states.map(({ end }) => end?.reason)
  expect(reasons.filter((reason) => reason !== 'completed' && reason !== 'budget')).toEqual([])
  expect(reasons.filter((reason) => reason === 'completed').length).toBeGreaterThan(2)
  expect(reasons).toContain('budget')
  for (const { rounds: request } of states) {
    for (const { response, worst } of request) {
      expect(worst?.inputTokens).toBeGreaterThanOrEqual(response?.usage.inputTokens ?? 0)
    }
  }
  const [counter] = await db().budgetCounter.findMany()
  expect(counter?.reserved).toBe(0n)
  expect(Number(counter?.spent)).toBeLessThanOrEqual(amount)
  await expectLedger(site.admin)
})
