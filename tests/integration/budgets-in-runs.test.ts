import type { ChildProcess } from 'node:child_process'
import pLimit from 'p-limit'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { countUnseenAlerts, listAlerts, seeAlerts } from '@/lib/domains/budgets/list-alerts'
import { remainingBudgets } from '@/lib/domains/budgets/remaining-budgets'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { signature } from '@/lib/domains/channels/send/webhook'
import { channelVerbs, testChannel } from '@/lib/domains/channels/verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { worstCostMicroUsd } from '@/lib/protocol/cost/cost'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { cancelRun, chooseCostCap } from '@/lib/runs/verbs'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { receiveWebhooks } from '@/tests/support/receive-webhooks'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { startWorker, stopped } from '@/tests/support/start-worker'
import { quickTimes, startTestEngine } from '@/tests/support/test-engine'

const prices = {
  input: 3_000_000,
  output: 15_000_000,
  cachedInput: 300_000,
  cacheWrite: 3_750_000,
  reasoning: null,
}
/** Maximum cost of a call to the model of this site: 4,000 tokens of output, and 5,000 of input to be sure. */
const worst = worstCostMicroUsd(5_000, 4_000, prices) ?? 0
/** 2,000 tokens in, 4,000 out: close to the worst, as money for ten has to be nearly enough for ten. */
const usage = '[[usage 2000 4000]]'
const cost = 2_000 * 3 + 4_000 * 15

let server: ModelServer
let site: RunSite

// A machine under load takes its time.
beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt, record: false })
  site = await addRunSite(server.url)
})

beforeEach(async () => {
  await db().budget.deleteMany()
  await db().budgetAlert.deleteMany()
})

afterAll(async () => {
  await server.close()
})

async function work(prompt: string): Promise<RunState> {
  const { runId } = await start(site, prompt)
  return foldRun(await collect(site.admin, runId))
}

const siteBudget = { scope: 'site', window: 'day', unit: 'micro-usd' } as const

describe('SPEC M2: two processes on one database', () => {
  let workers: ChildProcess[] = []
  beforeAll(async () => {
    workers = await Promise.all([startWorker(), startWorker()])
  })
  afterAll(async () => {
    await Promise.all(workers.map(stopped))
  })

  test('never spend more for 50 runs at once, and at least 9 are let in', async () => {
    await runFifty()
    const owners = await db().run.groupBy({ by: ['instanceId'], orderBy: { instanceId: 'asc' } })
    expect(owners.length).toBeGreaterThanOrEqual(2)
  })

  test('a killed process frees what it held, and what it may have used counts once', async () => {
    await budgetVerbs.create(site.admin, { ...siteBudget, amount: 100 * worst })
    await work(`[[say: done]] ${usage}`)
    const hanging = await Promise.all(
      Array.from({ length: 6 }, () => start(site, '[[say: one two three four]] [[hang 2]]')),
    )
    const open = () => db().budgetReservation.findMany({ where: { status: 'open' } })
    await expect.poll(open).toHaveLength(6)
    // A reservation for a request that was not begun is released and never counted.
    const runIds = hanging.map(({ runId }) => runId)
    const begun = async () => {
      const [found] = await db().$queryRaw<{ count: bigint }[]>`
        SELECT count(*) FROM run_events
        WHERE type = 'round-start' AND "runId" = ANY (${runIds}::uuid[])`
      return Number(found?.count)
    }
    await expect.poll(begun).toBe(6)
    const [first] = await open()
    const dead = await db().instance.findUniqueOrThrow({ where: { id: first?.instanceId } })
    const held = (await open()).filter(({ instanceId }) => instanceId === dead.id)
    workers.find(({ pid }) => pid === dead.pid)?.kill('SIGKILL')

    for (const { callId, reserved } of held) {
      const counted = () => db().usageRecord.findUniqueOrThrow({ where: { id: callId } })
      const record = await vi.waitFor(counted, 60_000)
      expect(record).toMatchObject({ estimated: true, errorCategory: 'cancelled' })
      // Its answer was lost with its process, so it may have been all that was held.
      expect(record.costMicroUsd).toBeGreaterThan(0n)
      expect(record.costMicroUsd).toBeLessThanOrEqual(reserved)
      expect(await db().budgetReservation.findFirst({ where: { callId } })).toMatchObject({
        status: 'settled',
        settled: record.costMicroUsd,
      })
    }
    // The other process asks again for those runs, and holds for each of them once.
    await expect.poll(open).toHaveLength(6)
    await Promise.all(hanging.map(({ runId }) => cancelRun(site.admin, { runId, reason: '' })))
    await Promise.all(hanging.map(({ runId }) => collect(site.admin, runId)))
    await expect.poll(open).toHaveLength(0)
    await expectLedger(site.admin)
    const [counter] = await db().budgetCounter.findMany()
    expect(counter?.reserved).toBe(0n)
  })

  test('a group shares its budget, and others are not asked', async () => {
    const group = await db().group.create({ data: { name: 'Support' } })
    const { userId } = site.admin.actor
    await db().groupMember.create({ data: { groupId: group.id, userId } })
    const stranger = await addPerson('member')
    const one = { window: 'month', unit: 'requests', amount: 1 } as const
    const of = (scope: 'group' | 'user', scopeId: string) =>
      budgetVerbs.create(site.admin, { scope, scopeId, ...one })
    await of('group', group.id)
    await of('user', stranger.actor.userId)

    expect((await work('[[say: one]]')).end?.reason).toBe('completed')
    const { end } = await work('[[say: two]]')
    expect(end).toMatchObject({ reason: 'budget', truncated: false, notStarted: true })
    const { rows } = await listRuns(site.admin, RunFilter.parse({ reason: 'budget', pageSize: 1 }))
    expect(rows).toMatchObject([{ truncated: false, notStarted: true, inputTokens: 0 }])
    expect(end?.message).toMatch(
      /^Monthly budget of group Support used up, and the next request may use up to 1 request\. Limit: 1 request, spent: 1 request\. The budget resets at \d{4}-\d{2}-01 00:00 UTC\./,
    )
    expect(await remainingBudgets(site.admin, [])).toMatchObject([{ left: 0, amount: 1 }])
    expect(await remainingBudgets(stranger, [])).toMatchObject([{ left: 1 }])
  })

  test('a request that the provider refused used nothing', async () => {
    await budgetVerbs.create(site.admin, { ...siteBudget, amount: 2 * worst })
    expect((await work('[[status 400]]')).end?.reason).toBe('provider-error')
    expect(await db().budgetCounter.findFirst()).toMatchObject({ reserved: 0n, spent: 0n })
    expect(await db().budgetReservation.findFirst()).toMatchObject({ status: 'settled' })
  })

  test('a model without a price is refused by money, or passes it and says so', async () => {
    const other = await addRunSite(server.url)
    const where = { model: { configurations: { some: { identifier: other.configuration } } } }
    await db().modelPrice.deleteMany({ where })
    const { id } = await budgetVerbs.create(site.admin, { ...siteBudget, amount: 10 })
    const askOther = async () => {
      const { runId } = await start(other, `[[say: done]] ${usage}`)
      return foldRun(await collect(other.admin, runId))
    }
    const refused = await askOther()
    expect(refused.end).toMatchObject({ reason: 'no-price', notStarted: true })
    expect(refused.end?.message).toContain('test-model has no price')

    await budgetVerbs.update(site.admin, { id, amount: 10, unpriced: 'count-tokens' })
    await budgetVerbs.create(site.admin, { ...siteBudget, unit: 'tokens', amount: 1_000_000 })
    const passed = await askOther()
    expect(passed.end?.reason).toBe('completed')
    expect(passed.rounds[0]?.notes).toMatchObject([{ data: { code: 'budget-uncounted' } }])
    const spent = await db().budgetCounter.findMany({ orderBy: { spent: 'asc' } })
    expect(spent.map((counter) => counter.spent)).toEqual([0n, 6_000n])
    await expectLedger(site.admin)
  })

  test('80 and 100 percent are told once, in the console and to a signed webhook', async () => {
    const received: { body: string; signature: string }[] = []
    const webhook = await receiveWebhooks(received)
    const secret = 'a-secret-of-the-webhook'
    const { id } = await channelVerbs.create(site.admin, {
      name: 'Receiver',
      kind: 'webhook',
      address: `${webhook.url}/alerts`,
      secret,
      privateAddressAllowed: true,
      budgetAlerts: true,
    })
    expect(await testChannel(site.admin, { id })).toEqual({ isAccepted: true, trouble: null })

    await budgetVerbs.create(site.admin, { ...siteBudget, unit: 'requests', amount: 5 })
    for (const turn of ['one', 'two', 'three']) await work(`[[say: ${turn}]]`)
    expect(await listAlerts(site.admin)).toEqual([])
    await work('[[say: four]]')
    expect(await listAlerts(site.admin)).toMatchObject([{ percent: 80, spent: 4, seenAt: null }])
    await work('[[say: five]]')
    const alerts = await listAlerts(site.admin)
    expect(alerts).toMatchObject([
      { percent: 100, title: 'Daily site budget', spent: 5, seenAt: null },
      { percent: 80, title: 'Daily site budget', spent: 4, seenBy: null },
    ])
    expect(alerts[1]?.seenAt).not.toBeNull()
    expect(await countUnseenAlerts(site.admin)).toBe(1)
    await expect.poll(() => received.length).toBe(3)
    for (const { body, signature: header } of received) {
      const at = Number(/^t=(\d+),/.exec(header)?.[1])
      expect(header).toBe(signature(secret, body, at))
    }
    await seeAlerts(site.admin, { ids: alerts.map(({ id }) => id) })
    expect(await countUnseenAlerts(site.admin)).toBe(0)
    expect(await db().auditEntry.count({ where: { action: 'budget-alert.see' } })).toBe(1)
    const audit = await db().auditEntry.findMany({ where: { objectId: id } })
    expect(audit.map(({ action }) => action).sort()).toEqual(['channel.create', 'channel.test'])
    expect(JSON.stringify(audit)).not.toContain(secret)
    await channelVerbs.remove(site.admin, { id })
    expect(await db().vaultSecret.count({ where: { purpose: 'channel-secret' } })).toBe(0)
    await webhook.close()
  })

  test('a request that passes 80 and 100 percent at once leaves one open alert', async () => {
    const made = { ...siteBudget, unit: 'requests', amount: 1 } as const
    const { id } = await budgetVerbs.create(site.admin, made)
    await work('[[say: one]]')
    const open = (await listAlerts(site.admin)).filter(({ seenAt }) => seenAt === null)
    expect(open).toMatchObject([{ percent: 100, spent: 1 }])
    expect(await countUnseenAlerts(site.admin)).toBe(1)

    // Its alerts are still listed, but nobody has to look at them.
    await budgetVerbs.remove(site.admin, { id })
    expect(await countUnseenAlerts(site.admin)).toBe(0)
    const left = (await listAlerts(site.admin)).filter(({ budgetId }) => budgetId === id)
    const closed = { seenAt: expect.any(String), seenBy: null }
    expect(left).toMatchObject([closed, closed])
  })

  test('SPEC M4: a cap ends the run with an answer, unless whoever may says otherwise', async () => {
    const prompt = `[[wait 3000ms]] [[call list_groups {}]] ${usage} [[then]] [[say: done]]`
    const costCap = { mode: 'enforce', limitMicroUsd: 1 } as const
    const { runId: capped } = await start(site, prompt, { costCap })
    const { runId: freed } = await start(site, prompt, { costCap })
    await chooseCostCap(site.admin, { runId: freed, choice: 'ignore' })
    const stranger = await addPerson('member')
    const choice = { runId: capped, choice: 'ignore' } as const
    await expect(chooseCostCap(stranger, choice)).rejects.toMatchObject({ status: 404 })

    const [ended, went] = await Promise.all(
      [capped, freed].map(async (runId) => foldRun(await collect(site.admin, runId))),
    )
    expect(ended?.end).toMatchObject({ reason: 'cost-cap', truncated: true })
    expect(went?.end?.reason).toBe('completed')
    expect(went?.costCapDecision).toMatchObject({ choice: 'ignore', by: site.admin.actor.email })
    await expect(chooseCostCap(site.admin, choice)).rejects.toMatchObject({ status: 409 })
    const audit = await db().auditEntry.findMany({ where: { action: 'run.cost-cap' } })
    expect(audit).toMatchObject([{ objectId: freed, after: { choice: 'ignore' } }])
  })

  test('neither a member nor a limited key may widen the cap that an admin enforces', async () => {
    const member = await addPerson('member')
    await db().configuration.update({
      where: { identifier: site.configuration },
      data: { costCapMicroUsd: 1n, costCapMode: 'enforce' },
    })
    const group = await db().group.create({ data: { name: 'Capped' } })
    await db().groupMember.create({ data: { groupId: group.id, userId: member.actor.userId } })
    const { id } = await findConfiguration(site.admin, site.configuration)
    await db().configurationGroup.create({ data: { configurationId: id, groupId: group.id } })
    const own = { ...site, admin: member }
    const { runId } = await start(own, '[[wait 2000ms]] [[say: done]]')
    await expect(chooseCostCap(member, { runId, choice: 'warn' })).rejects.toMatchObject({
      status: 403,
    })
    const keyLimits = { tools: null, toolGroups: null, configurations: [id] }
    const limited = { ...site.admin, via: 'api', keyLimits } as const
    await expect(chooseCostCap(limited, { runId, choice: 'ignore' })).rejects.toMatchObject({
      status: 403,
    })
    await chooseCostCap(member, { runId, choice: 'enforce' })
    await collect(member, runId)
    await db().configuration.update({ where: { id }, data: { costCapMicroUsd: null } })
  })
})

describe('SPEC M2: 50 runs at once with money for 10, in one process', () => {
  test('never spend more, and at least 9 are let in', async () => {
    const engine = await startTestEngine(quickTimes)
    try {
      await runFifty()
    } finally {
      await engine.close()
    }
  })
})

async function runFifty(): Promise<void> {
  await budgetVerbs.create(site.admin, { ...siteBudget, amount: 10 * worst })
  const runIds: string[] = []
  const prompts: string[] = Array(50).fill(`[[wait 100ms]] [[say: done]] ${usage}`)
  await pLimit(4).map(prompts, async (prompt) => {
    runIds.push((await start(site, prompt)).runId)
  })
  const states = await Promise.all(
    runIds.map(async (runId) => foldRun(await collect(site.admin, runId))),
  )
  const completed = states.filter(({ end }) => end?.reason === 'completed')
  const refused = states.filter(({ end }) => end?.reason === 'budget')
  expect(completed.length + refused.length).toBe(50)
  expect(completed.length).toBeGreaterThanOrEqual(9)
  expect(refused[0]?.end?.message).toMatch(
    /^Daily site budget has \$[\d.]+ left, but the next request may use up to \$[\d.]+\. /,
  )
  expect(refused.every(({ end }) => end?.notStarted && !end.truncated)).toBe(true)

  const [counter] = await db().budgetCounter.findMany()
  expect(counter).toMatchObject({ reserved: 0n, spent: BigInt(completed.length * cost) })
  expect(Number(counter?.spent)).toBeLessThanOrEqual(10 * worst)
  await expectLedger(site.admin)
}
