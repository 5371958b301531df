import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { exportUsage } from '@/lib/domains/usage/export-usage'
import { readUsageTotals } from '@/lib/domains/usage/reads'
import { costWords, reportedWords } from '@/lib/domains/usage/shared/cost-words'
import { usageWindow } from '@/lib/domains/usage/usage-window'
import { closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { runCostBound } from '@/lib/protocol/cost/cost'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Awaited<ReturnType<typeof startTestEngine>>
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
})

/** A site of its own each: a connection that failed often is not asked for a while. */
beforeEach(async () => {
  await db().budget.deleteMany()
  site = await addRunSite(server.url)
})

afterEach(() => expectLedger(site.admin))

afterAll(async () => {
  await engine.close()
  await server.close()
})

async function work(prompt: string): Promise<RunState> {
  const { runId } = await start(site, prompt)
  return foldRun(await collect(site.admin, runId))
}

const siteBudget = { scope: 'site', window: 'day' } as const

async function counterOf(budgetId: string) {
  return db().budgetCounter.findFirstOrThrow({ where: { budgetId } })
}

test('each try is a request in budgets and in usage, and is refused when it has no room', async () => {
  const money = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'micro-usd',
    amount: 1e9,
  })
  const requests = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'requests',
    amount: 4,
  })
  const requestCount = server.requests.length
  expect((await work('[[status 500]]')).end?.reason).toBe('provider-error')
  expect(server.requests.length - requestCount).toBe(3)
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 3n })
  const last = await work('[[status 500]]')
  expect(last.end).toMatchObject({ reason: 'budget' })
  expect(last.rounds[0]?.notes).toMatchObject([{ type: 'retry' }])
  expect(server.requests.length - requestCount).toBe(4)
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 4n })
  expect(await counterOf(money.id)).toMatchObject({ reserved: 0n, spent: 0n })

  const { actor } = site.admin
  const totals = await readUsageTotals(site.admin, usageWindow('24h', new Date()), {
    user: actor.userId,
  })
  expect(totals).toMatchObject({ calls: 4, retries: 3, errors: 1, inputTokens: 0 })
})

test('SPEC M: what an adapter sends again is held before, and refused where the budget has no room', async () => {
  const requests = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'requests',
    amount: 3,
  })
  // The server's refusal is remembered.
  const own = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(own.url)
  const refusal = (message: string) => ({ status: 400, body: { error: { message } } })
  own.queue(refusal('Unknown field: stream_options'), { text: 'Here.' })
  expect((await work('Hello?')).end?.reason).toBe('completed')
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 2n })

  own.queue(refusal('Use max_completion_tokens'))
  const { end } = await work('Hello?')
  expect(own.requests).toHaveLength(3)
  expect(end).toMatchObject({
    reason: 'budget',
    message: expect.stringMatching(/\. Daily site budget used up, .* Limit: 3 requests, spent: 3/),
    failure: { category: 'bad-request' },
  })
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 3n })
  await own.close()
})

test('SPEC M: the final answer that a gateway gives only with tools is held before, and counted once', async () => {
  const money = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'micro-usd',
    amount: 1e9,
  })
  const requests = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'requests',
    amount: 4,
  })
  const wantsTools = { status: 400, body: { error: { message: 'Pass the `tools=` param.' } } }
  const own = await startModelServer({
    script: (request) => {
      const isBare = request.round > 0 && request.offered.length === 0
      return isBare ? wantsTools : turnOfPrompt(request)
    },
  })
  site = await addRunSite(own.url)
  const usage = '[[usage 100 20]]'
  const prompt = `[[call list_groups {}]] ${usage} [[then]] [[say: That is all.]] ${usage}`
  const ask = async () => {
    const { runId } = await start(site, prompt, { maxRounds: 1 })
    return foldRun(await collect(site.admin, runId))
  }
  const first = await ask()
  expect(first.end).toMatchObject({ reason: 'max-rounds', truncated: true })
  expect(first.rounds.at(-1)?.text).toBe('That is all.')
  expect(own.requests).toHaveLength(3)
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 3n })
  expect(await counterOf(money.id)).toMatchObject({
    reserved: 0n,
    spent: BigInt(first.costMicroUsd ?? 0),
  })
  // From now on it is asked with tools at once, for which there is no room.
  expect((await ask()).end).toMatchObject({ reason: 'budget' })
  expect(await counterOf(requests.id)).toMatchObject({ reserved: 0n, spent: 4n })
  await own.close()
})

test('SPEC M5: an answer that cannot be used costs what its provider counted after that', async () => {
  const { id } = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'tokens',
    amount: 1e9,
  })
  const events = [
    { choices: [{ index: 0, delta: { content: 'Half' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'of_tomorrow' }] },
    { choices: [], usage: { prompt_tokens: 3_000, completion_tokens: 400 } },
  ]
  const url = await serve((message, response) => {
    message.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
  })
  site = await addRunSite(url)
  const { end, usage } = await work('Who is there?')
  await closeAll()
  expect(end).toMatchObject({ reason: 'provider-error', failure: { category: 'invalid-response' } })
  expect(usage).toMatchObject({ inputTokens: 3_000, outputTokens: 400, estimated: false })
  expect(await counterOf(id)).toMatchObject({ reserved: 0n, spent: 3_400n })
})

test('an answer that was cut counts what was held for its input, and what was shown', async () => {
  const { id } = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'micro-usd',
    amount: 1e9,
  })
  const { rounds } = await work('[[say slowly 30ms: one two three four]] [[cut 4]]')
  const { response, worst } = rounds[0] ?? {}
  expect(response?.usage).toMatchObject({ inputTokens: worst?.inputTokens, estimated: true })
  expect(response?.usage.outputTokens).toBeGreaterThanOrEqual('one two'.length)
  expect(await counterOf(id)).toMatchObject({
    reserved: 0n,
    spent: BigInt(response?.costMicroUsd ?? 0),
  })
})

test('a request that was never answered counts what it may have cost, and each try is held anew', async () => {
  const model = { configurations: { some: { identifier: site.configuration } } }
  await db().model.updateMany({ where: model, data: { reasoning: true } })
  const { id } = await budgetVerbs.create(site.admin, {
    ...siteBudget,
    unit: 'micro-usd',
    amount: 1e9,
  })
  const state = await work('[[say: nothing]] [[cut 0]]')
  expect(state.end?.reason).toBe('provider-error')
  const tries = [
    ...(state.rounds[0]?.notes ?? []).map((note) =>
      note.type === 'retry' ? note.data.failedCall : undefined,
    ),
    state.end?.failedCall,
  ]
  expect(tries).toHaveLength(3)
  const { worst } = state.rounds[0] ?? {}
  for (const call of tries) expect(call?.used?.usage).toMatchObject({ ...worst, estimated: true })
  expect(new Set(tries.map((call) => call?.used?.reservationId)).size).toBe(3)
  const cost = (tries[0]?.used?.costMicroUsd ?? 0) * 3
  expect(cost).toBeGreaterThan(3 * 4_000 * 15)
  expect(state.costMicroUsd).toBe(cost)
  expect(await counterOf(id)).toMatchObject({ reserved: 0n, spent: BigInt(cost) })
  const [row] = await db().run.findMany({ where: { userId: site.admin.actor.userId } })
  expect(row?.costMicroUsd).toBe(BigInt(cost))
  expect(row?.outputTokens).toBe(12_000)
})

test('the amount that the provider reports stands beside the counted one, and an upper bound is marked', async () => {
  const model = { model: { configurations: { some: { identifier: site.configuration } } } }
  await db().modelPrice.updateMany({ where: model, data: { cachedInput: null } })
  server.queue({
    text: 'Done.',
    usage: { inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 100, cost: 0.0042 },
  })
  const state = await work('[[say: Done.]]')
  const { rounds } = state
  expect(runCostBound(state)).toBe('at-most')
  const listed = async () =>
    (await listRuns(site.admin, RunFilter.parse({ user: site.admin.actor.userId }))).rows
  expect(await listed()).toMatchObject([{ costMicroUsd: 4_500, costBound: 'at-most' }])
  expect(rounds[0]?.response).toMatchObject({
    costMicroUsd: 4_500,
    usage: { reportedCostMicroUsd: 4_200 },
  })
  const { actor } = site.admin
  const scope = { user: actor.userId }
  const [record] = await db().usageRecord.findMany({ where: { userId: actor.userId } })
  expect(record).toMatchObject({
    costMicroUsd: 4_500n,
    costAtMost: true,
    reportedCostMicroUsd: 4_200n,
  })
  const totals = await readUsageTotals(site.admin, usageWindow('24h', new Date()), scope)
  expect(totals).toMatchObject({ atMost: 1, reported: 1, reportedMicroUsd: 4_200 })
  expect(reportedWords(totals)).toBe(
    'Providers reported $0.0042 for 1 request that cost $0.0045 by the stored prices.',
  )
  expect(costWords(totals)).toBe('at most $0.0045')
  const pieces: string[] = []
  const exported = await exportUsage(site.admin, { ...scope, period: '24h', format: 'csv' })
  for await (const piece of exported) pieces.push(piece)
  const [head = '', line = ''] = pieces.join('').split('\n')
  const columns = head.trim().split(',')
  const cell = (name: string) => line.trim().split(',')[columns.indexOf(name)]
  expect([cell('costMicroUsd'), cell('reportedCostMicroUsd'), cell('costAtMost')]).toEqual([
    '4500',
    '4200',
    'true',
  ])
  const cut = await work('[[say slowly 30ms: one two three four]] [[cut 4]]')
  expect(runCostBound(cut)).toBe('about')
  const rows = await listed()
  expect(rows.map(({ costBound }) => costBound)).toEqual(['about', 'at-most'])
  const both = await readUsageTotals(site.admin, usageWindow('24h', new Date()), scope)
  expect(costWords(both)).toMatch(/^about \$/)
})
