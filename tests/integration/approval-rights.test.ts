import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import { allowGroup, updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { countPendingApprovals, readApprovals } from '@/lib/runs/approvals/list-approvals'
import { resetTool, switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import {
  append,
  approvalSiteOfFile,
  decide,
  finish,
  startAndWait,
  startOne,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'

const approvalRoute = apiRoute('/approvals/{approvalId}')
const approvalsRoute = apiRoute('/approvals')
const runRoute = apiRoute('/runs/{runId}')

const site = approvalSiteOfFile()
let member: Ctx

beforeAll(async () => {
  member = await addPerson('member')
  const group = await groupVerbs.create(site.admin, { name: 'Members' })
  await addGroupMember(site.admin, { groupId: group.id, userId: member.actor.userId })
  const configuration = await findConfiguration(site.admin, site.configuration)
  await allowGroup(site.admin, {
    configurationId: configuration.id,
    groupId: group.id,
    allowed: true,
  })
})

afterEach(() => site.removeRules())

const approve = { type: 'approve', message: '' } as const
const deny = { type: 'deny', message: '' } as const
const fourEyesMigration = 'prisma/migrations/20261122034300_four_eyes_of_runs.sql'

describe('who may decide', () => {
  test('a member decides calls of own runs and sees no others', async () => {
    await site.addRule()
    const foreign = await startOne(site, append('the admin asks'))
    const mine = await startOne({ ...site, admin: member }, append('the member asks'))
    const { approvals: rows, total } = await readApprovals(
      member,
      ApprovalFilter.parse({ status: 'all' }),
    )
    expect(rows.map((row) => row.approvalId)).toEqual([mine.approvalId])
    expect([total, await countPendingApprovals(member)]).toEqual([1, 1])
    expect(await countPendingApprovals(site.admin)).toBe(2)
    await expect(decide(member, foreign, approve)).rejects.toMatchObject({ status: 404 })
    await decide(member, mine, approve)
    expect((await finish(member, mine.runId)).end?.reason).toBe('completed')
    await decide(site.admin, foreign, deny)
    await finish(site.admin, foreign.runId)
    const mineThenForeign = ApprovalFilter.parse({ status: 'decided', pageSize: 2 })
    const decided = (await readApprovals(site.admin, mineThenForeign)).approvals
    expect(decided.map((row) => row.approvalId)).toEqual([foreign.approvalId, mine.approvalId])
    const [oldest] = (await readApprovals(site.admin, mineThenForeign, 'decided')).approvals
    expect(oldest?.approvalId).toBe(mine.approvalId)
    const denied = ApprovalFilter.parse({ status: 'decided', decision: 'denied' })
    expect((await readApprovals(site.admin, denied)).approvals).toMatchObject([
      { approvalId: foreign.approvalId, status: 'denied' },
    ])
  })

  test('four eyes: whoever started the run does not', async () => {
    await site.addRule()
    const where = { identifier: site.configuration }
    const { id } = await db().configuration.update({ where, data: { fourEyes: true } })
    const row = await startOne(site, append('four eyes'))
    expect(row.mayDecide).toMatchObject({ allowed: false, mayDeny: false })
    await expect(decide(site.admin, row, approve)).rejects.toMatchObject({ status: 403 })
    await expect(decide(site.admin, row, deny)).rejects.toMatchObject({ status: 403 })
    const off = { fourEyes: false, reason: 'In a hurry' }
    expect(await updateConfigurationPolicy(site.admin, { id, ...off })).toBe(true)
    await expect(decide(site.admin, row, approve)).rejects.toMatchObject({ status: 403 })
    await decide(await addPerson('admin'), row, approve)
    expect((await finish(site.admin, row.runId)).end?.reason).toBe('completed')

    const later = await startOne(site, append('four eyes later'))
    expect(later.mayDecide).toEqual({ allowed: true })
    await updateConfigurationPolicy(site.admin, { id, fourEyes: true })
    await expect(decide(site.admin, later, approve)).rejects.toMatchObject({ status: 403 })
    await updateConfigurationPolicy(site.admin, { id, ...off })
    await decide(site.admin, later, approve)
    await finish(site.admin, later.runId)
  })

  test('four eyes of a rule: whoever started the run does not, whatever the rule becomes', async () => {
    const { id } = await site.addRule({ name: 'Two people', fourEyes: true })
    const row = await startOne(site, append('four eyes of a rule'))
    const reason = expect.stringContaining('because of the rule "Two people"')
    expect(row).toMatchObject({
      fourEyesRule: 'Two people',
      mayDecide: { allowed: false, mayDeny: false, reason },
    })
    await approvalRuleVerbs.update(site.admin, { id, fourEyes: false })
    for (const decision of [approve, deny]) {
      await expect(decide(site.admin, row, decision)).rejects.toMatchObject({
        status: 403,
        message: reason,
      })
    }
    await decide(await addPerson('admin'), row, approve)
    expect((await finish(site.admin, row.runId)).end?.reason).toBe('completed')

    const later = await startOne(site, append('four eyes of a rule later'))
    expect(later).toMatchObject({ fourEyesRule: null, mayDecide: { allowed: true } })
    await approvalRuleVerbs.update(site.admin, { id, fourEyes: true })
    await expect(decide(site.admin, later, approve)).rejects.toMatchObject({ status: 403 })
    const conditions = [{ path: '$.text', operator: 'equals' as const, value: 'edited' }]
    await approvalRuleVerbs.update(site.admin, { id, conditions })
    const edited = { type: 'edit', argumentsText: '{"text":"edited"}', message: '' } as const
    await expect(decide(site.admin, later, edited)).rejects.toMatchObject({ status: 403 })
    await decide(site.admin, later, approve)
    await finish(site.admin, later.runId)
  })

  test('a refused decision about a call of a rule for two people is audited like the others', async () => {
    await site.addRule({ name: 'Two people', fourEyes: true })
    const row = await startOne(site, append('audited'))
    const key = await apiKeyOf(site.admin, 'approvals:write')
    const { approvalId, argumentsHash } = row
    const answer = await ask(approvalRoute.POST, 'POST', `/api/v1/approvals/${approvalId}`, {
      key,
      params: { approvalId },
      json: { argumentsHash, decision: approve },
    })
    expect(answer.status).toBe(403)
    await expect
      .poll(() =>
        db().auditEntry.findFirst({
          where: { action: 'access.refuse', reason: { contains: 'Two people' } },
        }),
      )
      .toMatchObject({ actorId: site.admin.actor.userId })
    await decide(await addPerson('admin'), row, deny)
    await finish(site.admin, row.runId)
  })

  test('a rule that refuses or notes calls has nobody to decide, and four eyes are refused', async () => {
    const request = site.addRule({ action: 'deny', fourEyes: true })
    await expect(request).rejects.toMatchObject({ fields: { fourEyes: expect.any(String) } })
    const { id } = await site.addRule({ fourEyes: true })
    const milder = approvalRuleVerbs.update(site.admin, { id, action: 'observe' })
    await expect(milder).rejects.toMatchObject({ fields: { fourEyes: expect.any(String) } })
  })

  test('four eyes of journals from before are what their configuration says, or on', async () => {
    await site.addRule()
    const old = await startOne(site, append('from before'))
    const migrateAgain = async () => {
      await db().$executeRaw`
        UPDATE run_events SET data = data #- '{snapshot,fourEyes}'
        WHERE "runId" = ${old.runId}::uuid AND type = 'run-start'`
      await db().$executeRawUnsafe(await readFile(fourEyesMigration, 'utf8'))
      return db().$queryRaw`
        SELECT data->'snapshot'->'fourEyes' AS "fourEyes" FROM run_events
        WHERE "runId" = ${old.runId}::uuid AND type = 'run-start'`
    }
    expect(await migrateAgain()).toEqual([{ fourEyes: false }])
    await db().run.update({ where: { id: old.runId }, data: { configurationId: null } })
    expect(await migrateAgain()).toEqual([{ fourEyes: true }])
    await expect(decide(site.admin, old, approve)).rejects.toMatchObject({ status: 403 })
    await decide(await addPerson('admin'), old, deny)
    await finish(site.admin, old.runId)
  })

  test('a yes counts no more once its giver is disabled, however long ago it was given', async () => {
    await site.addRule()
    const before = await site.writtenLines()
    const prompt =
      '[[call append_line {"text":"by a leaver"}]] [[call append_line {"text":"by who stays"}]] [[then]] [[say: done]]'
    const { runId, approvals } = await startAndWait(site, prompt, 2)
    const [first, second] = ['leaver', 'stays'].map((text) =>
      approvals.find((row) => row.argumentsText.includes(text)),
    )
    if (!first || !second) throw new Error('Both calls wait.')
    const leaver = await addPerson('admin')
    await decide(leaver, first, { type: 'edit', argumentsText: '{"text":"bye"}', message: '' })
    await collect(site.admin, runId, { until: (event) => event.type === 'approval-decision' })
    await updateUser(site.admin, { userId: leaver.actor.userId, disabled: true })
    await decide(await addPerson('admin'), second, approve)
    const state = await finish(site.admin, runId)
    const reason = expect.stringContaining(leaver.actor.email)
    expect(state.rounds[0]?.calls).toMatchObject([
      {
        approval: { decision: { userId: leaver.actor.userId } },
        state: { outcome: { type: 'denied', gate: 'approval', reason } },
      },
      { state: { outcome: { type: 'ok' } } },
    ])
    expect(await site.writtenLines()).toEqual([...before, 'by who stays'])
  })

  test('a person for whom a tool is off cannot approve its calls, but may deny them', async () => {
    await site.addRule()
    const row = await startOne(site, append('switched off'))
    await switchTool(site.admin, { name: 'append_line', enabled: false, reason: 'Drill' })
    await expect(decide(site.admin, row, approve)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Drill'),
    })
    const { approvals: rows } = await readApprovals(
      site.admin,
      ApprovalFilter.parse({ search: 'switched' }),
    )
    expect(rows[0]?.mayDecide).toMatchObject({ allowed: false, mayDeny: true })
    await decide(site.admin, row, deny)
    await finish(site.admin, row.runId)
    await resetTool(site.admin, { name: 'append_line' })
  })
})

describe('from outside', () => {
  const address = '/api/v1/approvals'

  test('the API lists and answers, with a scope of its own', async () => {
    await site.addRule()
    const { runId, approvals } = await startAndWait(site, append('over HTTP'))
    const key = await apiKeyOf(site.admin, 'approvals:read', 'approvals:write', 'runs:read')
    const listed = await ask(approvalsRoute.GET, 'GET', `${address}?status=pending`, { key })
    const body = await listed.json()
    expect(body).toMatchObject({ total: 1, page: 1, approvals })
    const [row] = body.approvals
    const params = { approvalId: row.approvalId }
    const json = { argumentsHash: row.argumentsHash, decision: { type: 'approve' } }
    const answer = (as: string, what: unknown = json) =>
      ask(approvalRoute.POST, 'POST', `${address}/${row.approvalId}`, {
        key: as,
        params,
        json: what,
      })
    expect((await answer(await apiKeyOf(site.admin, 'runs:write'))).status).toBe(403)
    expect((await answer(await apiKeyOf(member, 'approvals:write'))).status).toBe(404)
    expect((await answer(key, { ...json, argumentsHash: 'e'.repeat(64) })).status).toBe(409)
    const run = await ask(runRoute.GET, 'GET', `/api/v1/runs/${runId}`, { key, params: { runId } })
    expect(await run.json()).toMatchObject({
      status: 'waiting',
      calls: [{ state: 'pending', approval: { approvalId: row.approvalId, decision: null } }],
    })
    const answered = await answer(key)
    expect(await answered.json()).toEqual({ ...params, runId, status: 'approved' })
    expect((await answer(key)).status).toBe(409)
    expect((await finish(site.admin, runId)).end?.reason).toBe('completed')
  })
})
