import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { releaseLeftBehind, releaseReservation } from '@/lib/domains/budgets/release-reservations'
import {
  type BudgetState,
  type Claim,
  queryOf,
  reserveInBudgets,
  reserveOneMore,
} from '@/lib/domains/budgets/reserve-in-budgets'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import type { Ctx } from '@/lib/kernel/context'
import { pool } from '@/lib/kernel/db'
import type { CostCapChoice } from '@/lib/protocol/cost/money'
import { readCostCapChoice } from '@/lib/runs/approvals/read-decisions'
import { chooseCostCap } from '@/lib/runs/verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db, withTransaction } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite, type RunSite, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'
import { waitingForRows } from '@/tests/support/waiting-for-rows'

let site: RunSite

// A machine under load takes its time.
beforeAll(async () => {
  // Its model is never asked.
  site = await addRunSite('http://127.0.0.1:9')
})

beforeEach(async () => {
  await db().budget.deleteMany()
  await db().budgetAlert.deleteMany()
})

const claimOf = (userId: string): Claim => ({
  callId: randomUUID(),
  runId: randomUUID(),
  instanceId: randomUUID(),
  userId,
  configurationId: randomUUID(),
  apiKeyId: null,
  tokens: 1,
  costMicroUsd: 1,
})

const siteBudget = { scope: 'site', window: 'day', unit: 'micro-usd' } as const

describe('budgets', () => {
  test('are added, changed, switched and removed, audited, by admins alone', async () => {
    const member = await addPerson('member')
    const question = { ...siteBudget, amount: 5_000_000, reason: 'Autumn' }
    await expect(budgetVerbs.create(member, question)).rejects.toMatchObject({ status: 403 })
    const nobody = { ...question, scope: 'group' as const, scopeId: site.admin.actor.userId }
    await expect(budgetVerbs.create(site.admin, nobody)).rejects.toMatchObject({ status: 422 })

    const { id } = await budgetVerbs.create(site.admin, question)
    await budgetVerbs.update(site.admin, { id, amount: 6_000_000, unpriced: 'refuse' })
    await budgetVerbs.update(site.admin, { id, amount: 6_000_000, unpriced: 'refuse' })
    await budgetVerbs.update(site.admin, { id, enabled: false, reason: 'A launch' })
    expect(await budgetVerbs.read(site.admin, { id })).toMatchObject({
      amount: 6_000_000,
      enabled: false,
    })
    await budgetVerbs.remove(site.admin, { id, reason: 'Over' })
    const audit = await db().auditEntry.findMany({
      where: { objectId: id },
      orderBy: { at: 'asc' },
    })
    expect(audit.map(({ action, reason }) => [action, reason])).toEqual([
      ['budget.create', 'Autumn'],
      ['budget.update', ''],
      ['budget.switch-off', 'A launch'],
      ['budget.delete', 'Over'],
    ])
    await expect(budgetVerbs.read(site.admin, { id })).rejects.toMatchObject({ status: 404 })
  })

  test('let in no more than fit when all of them look at the same moment', async () => {
    await budgetVerbs.create(site.admin, { ...siteBudget, unit: 'requests', amount: 1 })
    const claim = () => claimOf(site.admin.actor.userId)
    const first = claim()
    await reserveInBudgets(queryOf(pool()), first)
    await releaseReservation(pool(), first.callId)
    let claims: Promise<BudgetState[]>[] = []
    await withTransaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM budget_counters FOR UPDATE`
      claims = [1, 2, 3].map(() => reserveInBudgets(queryOf(pool()), claim()))
      await expect.poll(waitingForRows).toBe(3)
    })
    const answers = (await Promise.all(claims)).map(([state]) => state?.answer)
    expect(answers.sort()).toEqual(['full', 'full', 'held'])
  })

  test('hold each request of a call that is made again, and count it where nobody could say so', async () => {
    await budgetVerbs.create(site.admin, { ...siteBudget, unit: 'requests', amount: 7 })
    await budgetVerbs.create(site.admin, { ...siteBudget, unit: 'tokens', amount: 7 })
    const claim = claimOf(site.admin.actor.userId)
    await reserveInBudgets(queryOf(pool()), claim)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => reserveOneMore(pool(), claim.callId)),
    )
    expect(answers.filter(([state]) => state?.answer === 'held')).toHaveLength(6)
    const [full] = answers.flat().filter(({ answer }) => answer === 'full')
    // A request that was made is not released, so no claim waits for it.
    expect(full).toMatchObject({ spent: 7, reserved: 0, wanted: 1, unit: 'requests' })
    const counters = () => db().budgetCounter.findMany({ orderBy: { spent: 'asc' } })
    expect((await counters()).map(({ reserved }) => Number(reserved)).sort()).toEqual([1, 7])
    const run = await start(site, 'x')
    await db().usageRecord.create({
      data: {
        id: claim.callId,
        runId: run.runId,
        userId: claim.userId,
        modelId: 'm',
        round: 1,
        inputTokens: 1,
        outputTokens: 1,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
        estimated: true,
        latencyMs: 0,
        retries: 0,
        fallback: false,
      },
    })
    await releaseReservation(pool(), claim.callId)
    expect(await counters()).toMatchObject([
      { spent: 2n, reserved: 0n },
      { spent: 7n, reserved: 0n },
    ])
  })

  test('keep what a test of a model holds while its process lives, and for three minutes', async () => {
    await budgetVerbs.create(site.admin, { ...siteBudget, amount: 10 })
    const claim = claimOf(site.admin.actor.userId)
    const instance = { id: claim.instanceId, kind: 'server', host: 'here', pid: 1 }
    const held = async () => (await db().budgetCounter.findFirstOrThrow()).reserved
    await db().instance.create({ data: instance })
    await reserveInBudgets(queryOf(pool()), claim)
    await releaseLeftBehind(pool())
    expect(await held()).toBe(1n)
    await db().$executeRaw`
      UPDATE budget_reservations SET "createdAt" = "createdAt" - interval '4 minutes'`
    await releaseLeftBehind(pool())
    expect(await held()).toBe(0n)

    await reserveInBudgets(queryOf(pool()), { ...claim, callId: randomUUID() })
    await db().instance.delete({ where: { id: claim.instanceId } })
    await releaseLeftBehind(pool())
    expect(await held()).toBe(0n)
  })

  test('are deleted while what they held is settled, and neither waits for the other', async () => {
    const { id } = await budgetVerbs.create(site.admin, { ...siteBudget, amount: 10 })
    const claim = claimOf(site.admin.actor.userId)
    await reserveInBudgets(queryOf(pool()), claim)
    let both: Promise<unknown>[] = []
    await withTransaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM budget_reservations FOR UPDATE`
      both = [releaseReservation(pool(), claim.callId)]
      await expect.poll(waitingForRows).toBe(1)
      both.push(budgetVerbs.remove(site.admin, { id }))
      await expect.poll(waitingForRows).toBe(2)
    })
    expect(await Promise.allSettled(both)).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: undefined },
    ])
    expect(await db().budgetReservation.count({ where: { budgetId: id } })).toBe(0)
  })

  test('leave a member no choice about a cost cap that is looser than an admin made', async () => {
    const member = await addPerson('member')
    const group = await db().group.create({ data: { name: 'Choosers' } })
    await db().groupMember.create({ data: { groupId: group.id, userId: member.actor.userId } })
    const { id } = await findConfiguration(site.admin, site.configuration)
    await db().configurationGroup.create({ data: { configurationId: id, groupId: group.id } })
    const costCap = { mode: 'warn', limitMicroUsd: 1 } as const
    // No process works on it: it waits for its first round.
    const { runId } = await start({ ...site, admin: member }, 'x', { costCap, tools: [] })
    const choose = (ctx: Ctx, choice: CostCapChoice) => chooseCostCap(ctx, { runId, choice })
    const refused = { status: 403 }

    await choose(member, 'ignore')
    await choose(site.admin, 'enforce')
    await expect(choose(member, 'ignore')).rejects.toMatchObject(refused)
    await choose(site.admin, 'warn')
    await choose(member, 'enforce')
    await expect(choose(member, 'ignore')).rejects.toMatchObject(refused)
    await choose(member, 'warn')
    expect(await readCostCapChoice(db(), runId)).toEqual({
      choice: 'warn',
      by: member.actor.email,
      byAdmin: 'warn',
    })
    const audit = await db().auditEntry.findMany({ where: { action: 'run.cost-cap' } })
    expect(audit).toHaveLength(5)

    const inTerminal = (...words: string[]) => toolgate(['run', 'cost-cap', runId, ...words])
    const refusal = await inTerminal('ignore', '--as', member.actor.email)
    expect(refusal.code).toBe(1)
    expect(refusal.stderr).toContain('An admin set what')
    const chosen = await inTerminal('ignore', '--as', site.admin.actor.email, '--json')
    expect(JSON.parse(chosen.stdout)).toEqual({ runId, choice: 'ignore' })
    expect(await readCostCapChoice(db(), runId)).toMatchObject({ byAdmin: 'ignore' })
    const key = await apiKeyOf(member, 'runs:write')
    const request = { key, json: { choice: 'enforce' } }
    const answer = await askApi('PUT', `/runs/${runId}/cost-cap`, request)
    expect(await answer.json()).toEqual({ runId, choice: 'enforce' })
    expect(await choose(member, 'ignore')).toEqual({ runId, choice: 'ignore' })
  })

  test('are governed over HTTP', async () => {
    const key = await apiKeyOf(site.admin, 'budgets:read', 'budgets:write')
    const json = { scope: 'site', window: 'month', unit: 'tokens', amount: 1_000 }
    const made = await askApi('POST', '/budgets', { key, json })
    expect(made.status).toBe(201)
    const { budget } = await made.json()
    expect(budget).toMatchObject({ title: 'Monthly site budget', amount: 1_000, spent: 0 })
    const one = `/budgets/${budget.id}`
    const change = { key, json: { amount: 2_000, enabled: false } }
    const changed = await askApi('PATCH', one, change)
    expect((await changed.json()).budget).toMatchObject({ amount: 2_000, enabled: false })
    expect((await askApi('GET', `${one}?id=other`, { key })).status).toBe(400)
    const odd = { key, json: { ...json, amounts: 3 } }
    expect((await askApi('POST', '/budgets', odd)).status).toBe(422)
    expect((await askApi('DELETE', one, { key })).status).toBe(204)
    const list = await askApi('GET', '/budgets', { key })
    expect(await list.json()).toEqual({ budgets: [], total: 0, whole: 0 })
  })

  test('of money that allow models without a price say that what is spent is a lower bound', async () => {
    const money = { ...siteBudget, amount: 9_000_000 }
    const { id } = await budgetVerbs.create(site.admin, { ...money, unpriced: 'count-tokens' })
    await budgetVerbs.create(site.admin, { ...money, amount: 8_000_000 })
    const tokens = { ...siteBudget, unit: 'tokens', amount: 7 } as const
    await budgetVerbs.create(site.admin, { ...tokens, unpriced: 'count-tokens' })
    const key = await apiKeyOf(site.admin, 'budgets:read')
    const { budgets } = await (await askApi('GET', '/budgets?sort=limit', { key })).json()
    expect(budgets).toMatchObject([
      { amount: 7, spentAtLeast: false },
      { amount: 8_000_000, spentAtLeast: false },
      { id, spentAtLeast: true },
    ])
    const { stdout } = await toolgate(['budget', 'list'])
    expect(stdout.match(/at least .*/g)).toEqual([expect.stringMatching(/^at least \$0\.00 /)])
    expect(stdout.split('\n').find((line) => line.startsWith(id))).toContain('at least $0.00')
  })

  test('a budget of cost is not added from a terminal while a model in use has no price, unless the command says what it does with it', async () => {
    const add = ['budget', 'add', '--site', '--limit', '$5']
    await db().modelPrice.updateMany({ data: { input: null, output: null } })
    const refused = await toolgate(add)
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(
      /in use and have no price: .*--unpriced refuse stops their runs/s,
    )
    expect(await db().budget.count()).toBe(0)
    const allowed = await toolgate([...add, '--unpriced', 'count-tokens'])
    expect(allowed).toMatchObject({ code: 0 })
    expect(await toolgate(['budget', 'add', '--site', '--limit', '5 requests'])).toMatchObject({
      code: 0,
    })
    await db().modelPrice.updateMany({ data: { input: 1_000_000, output: 1_000_000 } })
  })

  test('are governed and checked from a terminal, and counters that differ are put right', async () => {
    const limit = ['--limit', '$0.50', '--per', 'day', '--json']
    const added = await toolgate(['budget', 'add', '--site', ...limit])
    expect(added).toMatchObject({ code: 0 })
    const { id } = JSON.parse(added.stdout)
    const edited = await toolgate(['budget', 'edit', id, '--limit', '0.75', '--json'])
    expect(JSON.parse(edited.stdout)).toMatchObject({ amount: 750_000, unit: 'micro-usd' })
    const words = await toolgate(['budget', 'edit', id, '--unpriced', 'count-tokens'])
    expect(words.stdout).toMatch(/^Changed the budget:\nID .*\n.*Daily site budget .*\$0\.75 /)
    const shown = await toolgate(['budget', 'show', id, '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ amount: 750_000, unpriced: 'count-tokens' })
    const otherUnit = await toolgate(['budget', 'edit', id, '--limit', '5 tokens'])
    expect(otherUnit.stderr).toContain('This budget counts US dollars.')
    expect((await toolgate(['budget', 'add', ...limit])).code).not.toBe(0)
    await db().$executeRaw`
      INSERT INTO budget_counters ("budgetId", "windowStart", spent)
      VALUES (${id}::uuid, date_trunc('day', now() AT TIME ZONE 'UTC'), 7)`

    const found = await toolgate(['budget', 'check'])
    expect(found.code).toBe(1)
    expect(found.stdout).toContain(
      'the counter says spent 7, reserved 0; its requests say spent 0, reserved 0',
    )
    expect((await toolgate(['budget', 'check', '--repair'])).code).toBe(0)
    expect(await db().budgetCounter.findFirst()).toMatchObject({ spent: 0n })
    expect((await toolgate(['budget', 'remove', id])).code).toBe(0)
  })
})
