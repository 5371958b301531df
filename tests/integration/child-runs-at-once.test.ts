import { expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { Prisma } from '@/lib/generated/prisma/client'
import { childLimits } from '@/lib/protocol/run/child-runs'
import { cancelRun } from '@/lib/runs/verbs'
import { decide, untilWaiting } from '@/tests/support/approval-site'
import { childSiteOfFile, hangs, promptsOf } from '@/tests/support/child-site'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'

const { turns, seen, own, admin, asks, begin, endOf, childrenOf, outcomes } = childSiteOfFile()

/** Every answer costs the same. */
const usage = { inputTokens: 1_000, outputTokens: 100 }

const endedOf = async (runId: string) =>
  (await childrenOf(runId)).filter(({ status }) => status === 'ended')

/** Returns the most calls of a run that were open at once, by its journal. */
async function mostOpen(runId: string): Promise<number> {
  const type = { in: ['call-start', 'call-end'] }
  const events = await db().runEventRow.findMany({
    where: { runId, type },
    orderBy: { seq: 'asc' },
  })
  let [open, most] = [0, 0]
  for (const event of events) {
    open += event.type === 'call-start' ? 1 : -1
    most = Math.max(most, open)
  }
  return most
}

test('SPEC R6: three work at once, the others as they end, and each call gets its own answer', async () => {
  turns.set('model-0', [
    { ...asks(...promptsOf(5)), usage },
    { text: 'Done.', usage },
  ])
  turns.set('model-1', Array(5).fill({ text: 'An answer.', beforeMs: 300, usage }))
  const { runId, state, calls, ended, children } = await outcomes()
  expect(await mostOpen(runId)).toBe(childLimits.atOnce)
  expect(ended).toMatchObject(Array(5).fill({ type: 'ok' }))
  const startedBy = new Map(children.map(({ id, parentCallId }) => [parentCallId, id]))
  expect(startedBy.size).toBe(5)
  for (const [n, { callId, childRunId = '' }] of calls.entries()) {
    expect(childRunId).toBe(startedBy.get(callId))
    expect((await endOf(childRunId)).start?.prompt).toBe(promptsOf(5)[n]?.prompt)
    expect(seen.at(-1)?.results[n]).toContain(childRunId)
  }
  // Each request counts once.
  const costs = children.map(({ costMicroUsd }) => Number(costMicroUsd))
  const sum = costs.reduce((a, b) => a + b, 0)
  expect(state.childrenMicroUsd).toBe(sum)
  const ids = [runId, ...children.map(({ id }) => id)]
  const records = await db().usageRecord.findMany({ where: { runId: { in: ids } } })
  expect(records).toHaveLength(7)
  expect(records.reduce((all, { costMicroUsd }) => all + Number(costMicroUsd), 0)).toBe(
    (state.costMicroUsd ?? 0) + sum,
  )
})

test('SPEC R6: with any other call in the answer, all work in order', async () => {
  const other = { name: 'calculate', arguments: { expression: '6 * 7' } }
  const { calls = [] } = asks(...promptsOf(3))
  turns.set('model-0', [{ calls: [...calls, other] }])
  const { runId, ended } = await outcomes()
  expect(await mostOpen(runId)).toBe(1)
  expect(ended).toMatchObject(Array(4).fill({ type: 'ok' }))
})

test('one that has no place is refused, and the others go on', async () => {
  await updateSettings(admin(), { configurationRuns: 2 })
  turns.set('model-0', [asks(...promptsOf(3))])
  turns.set('model-1', Array(2).fill({ text: 'An answer.', beforeMs: 1_000 }))
  const { ended, children } = await outcomes()
  await updateSettings(admin(), { configurationRuns: 256 })
  const words = 'This configuration has as many active runs as it may have.'
  const answered = ended.filter(({ type }) => type === 'ok')
  expect(answered).toHaveLength(2)
  const refused = { type: 'failed', message: expect.stringContaining(words) }
  expect(ended.filter((each) => !answered.includes(each))).toMatchObject([refused])
  expect(children).toHaveLength(2)
})

test('all are approved or denied before any begins, each by itself', async () => {
  await db().toolApproval.deleteMany({ where: { toolName: 'spawn_run' } })
  turns.set('model-0', [asks(...promptsOf(3))])
  const { runId } = await begin()
  const waiting = await untilWaiting(admin(), runId, 3)
  expect(waiting).toHaveLength(3)
  const [first, ...others] = waiting
  for (const row of others) await decide(admin(), row, { type: 'approve', message: '' })
  expect(await childrenOf(runId)).toEqual([])
  if (first) await decide(admin(), first, { type: 'deny', message: 'Not this one.' })
  const { rounds } = await endOf(runId)
  const denied = rounds[0]?.calls.filter(({ callId }) => callId === first?.callId)
  expect(denied).toMatchObject([{ state: { outcome: { type: 'denied', gate: 'approval' } } }])
  expect(rounds[0]?.calls.filter(({ childRunId }) => childRunId)).toHaveLength(2)
  expect(await endedOf(runId)).toHaveLength(2)
})

test('SPEC M4: those that work share what an enforced cap has left, and the next one gets what is over', async () => {
  turns.set('model-0', [{ ...asks(...promptsOf(4)), usage }])
  // One answers once all three work, and makes room; two never do.
  const answer = { text: 'An answer.', beforeMs: 1_500, usage }
  turns.set('model-1', [answer, hangs, hangs, { text: 'Another.', usage }])
  const limitMicroUsd = 100_000
  const { runId } = await begin({ costCap: { mode: 'enforce', limitMicroUsd } })
  await expect.poll(async () => (await endedOf(runId)).length, { timeout: 10_000 }).toBe(2)
  const children = (await childrenOf(runId)).toSorted((a, b) => +a.createdAt - +b.createdAt)
  await cancelRun(admin(), { runId })
  const state = await endOf(runId)
  const rest = limitMicroUsd - (state.costMicroUsd ?? 0)
  const capOf = async (runId: string) =>
    (await endOf(runId)).start?.snapshot.costCaps.find(({ scope }) => scope === 'parent')
  const caps = await Promise.all(children.map(({ id }) => capOf(id)))
  const [a = 0, b = 0, c = 0, last] = caps.map((cap) => cap?.limitMicroUsd)
  expect([a, b, c]).toEqual([Math.floor(rest / 3), Math.floor((rest - a) / 2), rest - a - b])
  const held = children.slice(0, 3).map(({ status, costMicroUsd }, n) => {
    return status === 'ended' ? Number(costMicroUsd) : ([a, b, c][n] ?? 0)
  })
  expect(last).toBe(rest - held.reduce((sum, each) => sum + each, 0))
  expect(last).toBeGreaterThan(0)
  expect(caps.map((cap) => cap?.mode)).toEqual(Array(4).fill('enforce'))
})

test('SPEC M4: what one has used up is not there for the next one', async () => {
  turns.set('model-0', [
    { ...asks(...promptsOf(4)), usage },
    { text: 'Done.', usage },
  ])
  turns.set('model-1', Array(4).fill({ text: 'Long.', beforeMs: 300, usage }))
  const { ended, children, state } = await outcomes({
    costCap: { mode: 'enforce', limitMicroUsd: 10_000 },
  })
  expect(ended.slice(0, 3)).toMatchObject(Array(3).fill({ type: 'ok' }))
  expect(ended[3]).toMatchObject({ type: 'failed', code: 'conflict' })
  expect(JSON.stringify(ended[3])).toContain('leaves nothing for another one')
  expect(children).toHaveLength(3)
  expect(state.end?.reason).toBe('cost-cap')
})

test('SPEC M2: a budget holds for all together, and the ledger agrees', async () => {
  const { userId } = admin().actor
  const limit = { scope: 'user', scopeId: userId, window: 'day', unit: 'requests' } as const
  await budgetVerbs.create(admin(), { ...limit, amount: 3 })
  turns.set('model-0', [asks(...promptsOf(3)), { text: 'Never sent.' }])
  const { ended, state } = await outcomes()
  expect(ended.filter(({ type }) => type === 'ok')).toHaveLength(2)
  expect(ended.filter(({ type }) => type === 'failed')).toMatchObject([{ code: 'no-answer' }])
  expect(state.end?.reason).toBe('budget')
  await expectLedger(admin())
})

test('one that is stopped, or loses a tool, leaves the others alone', async () => {
  turns.set('model-0', [
    asks({ tools: ['calculate'] }, { tools: [] }, { tools: [], prompt: 'Hm.' }),
  ])
  turns.set('model-1', Array(3).fill(hangs))
  const { runId } = await begin()
  const answers = () => seen.filter(({ model }) => model === 'model-1').length
  await expect.poll(answers, { timeout: 10_000 }).toBe(3)
  const children = await childrenOf(runId)
  const states = await Promise.all(children.map(async ({ id }) => ({ id, of: await startOf(id) })))
  const withTool = states.find(({ of }) => of.includes('calculate'))?.id
  const [second, third] = states.filter(({ id }) => id !== withTool).map(({ id }) => id)
  const where = { identifier: own() }
  await db().configuration.update({ where, data: { allowedToolGroups: ['agents'] } })
  expect((await endOf(withTool ?? '')).end?.reason).toBe('cancelled')
  await db().configuration.update({ where, data: { allowedToolGroups: Prisma.DbNull } })
  await cancelRun(admin(), { runId: second ?? '' })
  expect((await endOf(second ?? '')).end?.reason).toBe('cancelled')
  await expect.poll(async () => (await endedOf(runId)).length).toBe(2)
  const calls = () => db().runEventRow.count({ where: { runId, type: 'call-end' } })
  await expect.poll(calls).toBe(2)
  const left = await db().run.findUniqueOrThrow({ where: { id: third ?? '' } })
  expect(left).toMatchObject({ cancelledBy: null, status: 'running' })
  await cancelRun(admin(), { runId })
  expect((await endOf(third ?? '')).end?.reason).toBe('cancelled')
})

/** Returns the names of the tools that a run is offered. */
async function startOf(runId: string): Promise<string[]> {
  const where = { runId_seq: { runId, seq: 1 } }
  const { data } = await db().runEventRow.findUniqueOrThrow({ where })
  const { accepted } = data as { accepted: { name: string }[] }
  return accepted.map(({ name }) => name)
}
