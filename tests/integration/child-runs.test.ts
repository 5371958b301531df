import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { pool } from '@/lib/kernel/db'
import { childLimits } from '@/lib/protocol/run/child-runs'
import { cancelRun } from '@/lib/runs/verbs'
import { decide, untilWaiting } from '@/tests/support/approval-site'
import { childSiteOfFile, promptsOf } from '@/tests/support/child-site'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { endOfPanel, startOn } from '@/tests/support/panel-site'
import { addPerson } from '@/tests/support/people'

const {
  turns,
  seen,
  own,
  other,
  admin,
  asks,
  begin,
  endOf,
  childrenOf,
  outcomes,
  hanging,
  panelSite,
} = childSiteOfFile()

describe('a call that starts a run', () => {
  test('gets the answer of an ordinary run of the same person, which has its own journal', async () => {
    turns.set('model-0', [asks({ tools: ['calculate'] }), { text: 'It is 42.' }])
    turns.set('model-1', [
      { calls: [{ name: 'calculate', arguments: { expression: '6 * 7' } }] },
      { text: 'Forty-two.' },
    ])
    const { runId, state, calls, ended, children } = await outcomes()
    const [child] = children
    expect(children).toMatchObject([
      { source: 'run', userId: admin().actor.userId, parentCallId: calls[0]?.callId },
    ])
    expect(calls[0]?.childRunId).toBe(child?.id)
    const answer = { run: child?.id, configuration: other(), answer: 'Forty-two.' }
    expect(ended).toMatchObject([{ type: 'ok', content: JSON.stringify(answer) }])
    expect(state.end?.reason).toBe('completed')
    const [requests, ...rest] = seen.filter(({ model }) => model === 'model-1')
    expect([requests, ...rest].map((request) => request?.offered)).toEqual([
      ['calculate'],
      ['calculate'],
    ])
    expect(requests?.prompt).toContain('What is 6 x 7?')
    expect(seen.at(-1)?.results.join()).toContain('Forty-two.')
    const started = await endOf(child?.id ?? '')
    expect(started.start?.parent).toEqual({ runId, callId: calls[0]?.callId })
    // Each request counts once, and what the caps of the run count has both.
    expect(state.childrenMicroUsd).toBe(started.costMicroUsd)
    const records = await db().usageRecord.findMany({
      where: { runId: { in: [runId, child?.id ?? ''] } },
    })
    expect(records).toHaveLength(4)
    expect(records.reduce((sum, { costMicroUsd }) => sum + Number(costMicroUsd), 0)).toBe(
      (state.costMicroUsd ?? 0) + (started.costMicroUsd ?? 0),
    )
    const audit = await db().auditEntry.findFirst({ where: { objectId: child?.id ?? '' } })
    expect(audit).toMatchObject({ action: 'run.start', after: { startedBy: runId } })
  })

  test('has the starters of its run, who may not approve its calls either', async () => {
    turns.set('model-0', [asks()])
    const author = await addPerson('admin')
    const { children } = await outcomes({}, { ...admin(), starters: [author.actor.userId] })
    const { start: begun } = await endOf(children[0]?.id ?? '')
    expect(begun?.snapshot.starters).toEqual([author.actor.userId])
  })

  test('offers no more than its run has, and never what starts runs', async () => {
    turns.set('model-0', [
      asks({ tools: ['calculate', 'get_env'] }),
      asks({ tools: ['spawn_run'] }),
    ])
    const { ended, children } = await outcomes({ tools: ['spawn_run', 'calculate'] })
    expect(ended).toMatchObject([
      { code: 'forbidden', message: 'The run may not have get_env. It may have: calculate.' },
      { code: 'forbidden', message: 'The run may not have spawn_run. It may have: calculate.' },
    ])
    expect(children).toEqual([])
    turns.set('model-0', [asks()])
    await outcomes({ tools: ['spawn_run', 'calculate'] })
    expect(seen.find(({ model }) => model === 'model-1')?.offered).toEqual(['calculate'])
  })

  test('says why there is no answer', async () => {
    turns.set('model-0', [asks()])
    turns.set('model-1', [{ status: 400, body: { error: { message: 'No.' } } }])
    const { ended, children } = await outcomes()
    expect(ended).toMatchObject([{ type: 'failed', code: 'no-answer' }])
    expect(JSON.stringify(ended)).toContain(`The run ${children[0]?.id} ended without an answer.`)
  })

  test('shows whoever approves it the configuration, its model, its tools and the prompt', async () => {
    await db().toolApproval.deleteMany({ where: { toolName: 'spawn_run' } })
    turns.set('model-0', [asks({ tools: ['calculate'] })])
    const { runId } = await begin()
    await expect.poll(() => db().approval.count({ where: { runId } })).toBe(1)
    const [request] = await db().runEventRow.findMany({
      where: { runId, type: 'approval-request' },
    })
    const said = JSON.stringify(request?.data)
    for (const part of [`(${other()})`, 'model-1 on Panel anthropic', 'Tools: calculate', '6 x 7'])
      expect(said).toContain(part)
    expect(await childrenOf(runId)).toEqual([])
    await cancelRun(admin(), { runId })
  })

  test('waits while a person decides about a call of the run that it started', async () => {
    const toolName = 'calculate'
    const answer = { asks: true, reason: 'It is a test.', changedByLabel: 'test' }
    await db().toolApproval.create({ data: { toolName, ...answer } })
    turns.set('model-0', [asks({ tools: [toolName] }), { text: 'Done.' }])
    turns.set('model-1', [
      { calls: [{ name: toolName, arguments: { expression: '6 * 7' } }] },
      { text: 'Forty-two.' },
    ])
    const { runId } = await begin()
    await expect.poll(async () => (await childrenOf(runId))[0]?.status).toBe('waiting')
    const [child] = await childrenOf(runId)
    const [row] = await untilWaiting(admin(), child?.id ?? '')
    if (!row) throw new Error('No call waits.')
    await decide(admin(), row, { type: 'approve', message: '' })
    const { rounds } = await endOf(runId)
    await db().toolApproval.delete({ where: { toolName } })
    expect(JSON.stringify(rounds[0]?.calls[0]?.state)).toContain('Forty-two.')
  })

  test(`starts at most ${childLimits.ofRun} runs in one run, also at once`, async () => {
    const { runId, childId } = await hanging()
    const row = await db().run.findUniqueOrThrow({ where: { id: childId } })
    const { id: _id, request: _request, ...copy } = row
    const more = {
      ...copy,
      status: 'ended' as const,
      instanceId: null,
      request: {},
      idempotencyKey: null,
    }
    const free = { sitePlace: null, personPlace: null, configurationPlace: null }
    await db().run.createMany({
      data: Array.from({ length: childLimits.ofRun - 2 }, () => ({ ...more, ...free })),
    })
    turns.set('model-0', [{ ...asks(...promptsOf(3)), beforeMs: 500 }, { text: 'Enough.' }])
    await cancelRun(admin(), { runId: childId })
    await endOf(childId)
    // Holds back all starts until all three calls have begun one.
    const connection = await pool().connect()
    await connection.query('BEGIN')
    await connection.query('LOCK TABLE audit_entries IN SHARE MODE')
    const begun = () => db().runEventRow.count({ where: { runId, type: 'call-start' } })
    await expect.poll(begun, { timeout: 5_000 }).toBe(4)
    await wait(500)
    await connection.query('ROLLBACK')
    connection.release()
    const { rounds } = await endOf(runId)
    expect(rounds[0]?.calls).toMatchObject([{ state: { outcome: { code: 'no-answer' } } }])
    const answers = rounds[1]?.calls.map(({ state }) => JSON.stringify(state)) ?? []
    expect(answers.filter((answer) => answer.includes('run-full'))).toHaveLength(2)
    expect(answers.filter((answer) => answer.includes('"type":"ok"'))).toHaveLength(1)
    expect(await childrenOf(runId)).toHaveLength(childLimits.ofRun)
  })

  test.each([
    [0, 1, 0],
    [1, 2, 1],
    [2, 3, 2],
  ])(
    'with room for %i more, of %i calls that need approval %i are asked about',
    async (room, count, input) => {
      await db().toolApproval.deleteMany({ where: { toolName: 'spawn_run' } })
      turns.set('model-0', [{ ...asks(...promptsOf(count)), beforeMs: 1_000 }, { text: 'Enough.' }])
      const { runId } = await begin()
      const row = await db().run.findUniqueOrThrow({ where: { id: runId } })
      const { id: _id, request: _request, ...copy } = row
      const ended = {
        status: 'ended' as const,
        instanceId: null,
        request: {},
        idempotencyKey: null,
      }
      const free = { sitePlace: null, personPlace: null, configurationPlace: null }
      await db().run.createMany({
        data: Array.from({ length: childLimits.ofRun - room }, () => ({
          ...copy,
          ...ended,
          ...free,
          parentRunId: runId,
        })),
      })
      if (input > 0) {
        const waiting = await untilWaiting(admin(), runId, input)
        expect(waiting).toHaveLength(input)
        for (const each of waiting) await decide(admin(), each, { type: 'approve', message: '' })
      }
      const { rounds } = await endOf(runId)
      expect(await db().approval.count({ where: { runId } })).toBe(input)
      const refused = rounds[0]?.calls.at(-1)?.state
      expect(refused).toMatchObject({
        outcome: { type: 'failed', message: expect.stringContaining('a run may start no more') },
      })
      expect(rounds[0]?.calls.filter(({ childRunId }) => childRunId)).toHaveLength(input)
    },
  )
})

describe('money', () => {
  const usage = { inputTokens: 1_000, outputTokens: 100 }

  test('a budget of the person counts both, and the ledger agrees', async () => {
    const { userId } = admin().actor
    const limit = { scope: 'user', scopeId: userId, window: 'day', unit: 'requests' } as const
    await budgetVerbs.create(admin(), { ...limit, amount: 2 })
    turns.set('model-0', [asks(), { text: 'Never sent.' }])
    const { state, ended } = await outcomes()
    expect(ended).toMatchObject([{ type: 'ok' }])
    expect(state.end?.reason).toBe('budget')
    await expectLedger(admin())
  })

  test('an enforced cap leaves what is left of it, and counts what was started', async () => {
    turns.set('model-0', [
      { ...asks(), usage },
      { text: 'Done.', usage },
    ])
    turns.set('model-1', [{ text: 'Long.', usage }])
    const free = await outcomes()
    const cost = free.state.rounds[0]?.response?.costMicroUsd ?? 0
    const limitMicroUsd = cost + 10
    turns.set('model-0', [
      { ...asks(), usage },
      { ...asks(), usage },
      { text: 'Done.', usage },
    ])
    turns.set('model-1', [{ text: 'Long.', usage }])
    const { state, children } = await outcomes({ costCap: { mode: 'enforce', limitMicroUsd } })
    const started = await endOf(children[0]?.id ?? '')
    expect(started.start?.snapshot.costCaps).toContainEqual({
      scope: 'parent',
      mode: 'enforce',
      limitMicroUsd: 10,
    })
    expect(children).toHaveLength(1)
    expect(state.end?.reason).toBe('cost-cap')
    expect(state.rounds.at(-1)?.closing).toBe(true)
    expect(state.end?.message).toContain('with its child runs')
  })
})

describe('who may start what', () => {
  test('a member only configurations of their own, and learns nothing of others', async () => {
    const member = await addPerson('member')
    const group = await db().group.create({ data: { name: `Asks ${own()}`, description: '' } })
    await db().groupMember.create({ data: { groupId: group.id, userId: member.actor.userId } })
    const { id: configurationId } = await db().configuration.findUniqueOrThrow({
      where: { identifier: own() },
    })
    await db().configurationGroup.create({ data: { groupId: group.id, configurationId } })
    turns.set('model-0', [asks(), asks({ configuration: 'nothing-such' })])
    const { ended, children } = await outcomes({}, member)
    const message = `Configuration not found or not permitted. You may use: ${own()}.`
    expect(ended).toMatchObject([{ message }, { message }])
    expect(children).toEqual([])
  })

  test('no member of a panel', async () => {
    const { panelId } = await startOn(panelSite(), { tools: ['spawn_run', 'calculate'] })
    const { panel } = await endOfPanel(panelSite(), panelId)
    for (const { run } of panel.members) {
      expect(run?.tools.accepted).toEqual(['calculate'])
      expect(run?.tools.rejected).toMatchObject([{ name: 'spawn_run', gate: 'selection' }])
    }
  })

  test('no provider that may not have what the run has read', async () => {
    const where = { models: { some: { configurations: { some: { identifier: other() } } } } }
    const { id, trustZone } = await db().connection.findFirstOrThrow({ where })
    await db().connection.update({ where: { id }, data: { trustZone: 'external_global' } })
    turns.set('model-0', [{ calls: [{ name: 'get_env', arguments: {} }] }, asks()])
    const { ended, children } = await outcomes()
    await db().connection.update({ where: { id }, data: { trustZone } })
    expect(children).toEqual([])
    expect(ended[1]).toMatchObject({ type: 'failed', code: 'forbidden' })
    expect(JSON.stringify(ended[1])).toMatch(/has read .* data \(get_env\)/)
  })
})
