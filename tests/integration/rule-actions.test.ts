import { afterEach, expect, test } from 'vitest'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import type { TriedRule } from '@/lib/domains/approvals/shape'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import { listApprovals } from '@/lib/runs/approvals/list-approvals'
import { tryRule } from '@/lib/runs/replay/try-rule'
import { append, approvalSiteOfFile, decide, finish, startOne } from '@/tests/support/approval-site'
import { start } from '@/tests/support/run-site'

const site = approvalSiteOfFile()

afterEach(() => site.removeRules())

const approve = { type: 'approve', message: '' } as const
const startsWith = (value: string) => [{ path: '$.text', operator: 'starts-with' as const, value }]

/** Returns a prompt that appends these lines, each in a round of its own. */
const appendEach = (...lines: string[]) =>
  [...lines.map((text) => `[[call append_line {"text":"${text}"}]]`), '[[say: that is all]]'].join(
    ' [[then]] ',
  )

async function finished(runId: string) {
  const state = await finish(site.admin, runId)
  const outcomes = state.rounds.flatMap(({ calls }) =>
    calls.map(({ state: call }) => (call.type === 'ended' ? call.outcome : call)),
  )
  return { state, outcomes }
}

async function approvalsOf(runId: string) {
  const filter = ApprovalFilter.parse({ status: 'all', pageSize: 100 })
  const { approvals } = await listApprovals(site.admin, filter)
  return approvals.filter((row) => row.runId === runId)
}

test('a rule that refuses a tool is what explain, the offer and the call say', async () => {
  await site.addRule({ name: 'No lines', action: 'deny' })
  const no = { gate: 'rule', reason: expect.stringContaining('"No lines" refuses it') }
  expect(await site.explained()).toMatchObject({
    verdict: { allowed: false, ...no },
    approval: null,
  })
  const { runId } = await start(site, append('never'))
  const { state, outcomes } = await finished(runId)
  expect(state.start?.accepted).not.toContain('append_line')
  expect(state.start?.rejected).toContainEqual(
    expect.objectContaining({ name: 'append_line', ...no }),
  )
  expect(outcomes).toMatchObject([{ type: 'denied', ...no }])
  expect(await site.writtenLines()).not.toContain('never')
})

test('one that looks at arguments refuses the calls that match, as trying it before says', async () => {
  const prompt = appendEach('fine', 'danger ahead')
  const before = await start(site, prompt)
  await finished(before.runId)
  const rule: TriedRule = {
    name: 'No danger',
    toolName: 'append_line',
    action: 'deny',
    conditions: startsWith('danger'),
  }
  expect(await tryRule(site.admin, { rule, days: 1 })).toMatchObject({
    changed: 1,
    runs: [{ runId: before.runId, was: 'It ran.', gate: 'rule' }],
  })
  await site.addRule(rule)
  expect(await site.explained()).toMatchObject({
    verdict: { allowed: true },
    approval: {
      sentences: [{ words: 'A call is refused if its arguments match the rule "No danger".' }],
    },
  })
  const { runId } = await start(site, prompt)
  const { outcomes } = await finished(runId)
  expect(outcomes).toMatchObject([{ type: 'ok' }, { type: 'denied', gate: 'rule' }])
  expect(await approvalsOf(runId)).toEqual([])
  expect(await tryRule(site.admin, { rule, days: 1 })).toMatchObject({ changed: 0 })
})

test('a rule about a folder refuses paths outside of it, and tells the person and the model why', async () => {
  const path = '$.text'
  const conditions = [{ path, operator: 'path-not-under' as const, value: '/srv/reports' }]
  await site.addRule({ name: 'Only the reports folder', action: 'deny', conditions })
  const { runId } = await start(
    site,
    appendEach('/srv/reports/a.txt', '/srv/reports/../etc/passwd'),
  )
  const { outcomes } = await finished(runId)
  const refusal =
    'The rule "Only the reports folder" refuses it: $.text is not under "/srv/reports". The call has "/srv/reports/../etc/passwd" at $.text.'
  expect(outcomes).toMatchObject([
    { type: 'ok' },
    {
      type: 'denied',
      gate: 'rule',
      reason: `${refusal} An admin can change the rule.`,
      told: refusal,
    },
  ])
  const prompt = appendEach('/srv/reports/a.txt', '/srv/reports/../etc/passwd')
  const heard = site.lastRequestOf(prompt).replaceAll('\\', '')
  expect(heard).toContain(refusal)
})

test('a condition that cannot be compared with is refused beside its value', async () => {
  const conditions = [{ path: '$.text', operator: 'matches' as const, value: '(' }]
  const issue = expect.stringContaining('This pattern cannot be used:')
  await expect(site.addRule({ conditions })).rejects.toMatchObject({
    status: 422,
    fields: { 'conditions.0.value': issue },
  })
  const rule: TriedRule = { name: 'Tried', toolName: 'append_line', conditions }
  await expect(tryRule(site.admin, { rule })).rejects.toMatchObject({
    fields: { 'rule.conditions.0.value': issue },
  })
})

test('a rule that comes to refuse while a call waits refuses it, although it is approved', async () => {
  const { id } = await site.addRule({ name: 'Lines' })
  const row = await startOne(site, append('too late'))
  expect(row.once).toBe(false)
  const rule = { id, name: 'Lines', toolName: 'append_line', conditions: startsWith('too') }
  await approvalRuleVerbs.update(site.admin, { ...rule, action: 'deny' })
  await decide(site.admin, row, approve)
  const { outcomes } = await finished(row.runId)
  expect(outcomes).toMatchObject([{ type: 'denied', gate: 'rule' }])
  expect(await site.writtenLines()).not.toContain('too late')
})

test('a rule that asks once a run asks about its first call, and says so', async () => {
  await site.addRule({ action: 'ask-once' })
  const lines = ['once 1', 'once 2', 'once 3']
  const row = await startOne(site, appendEach(...lines))
  expect(row).toMatchObject({ once: true, argumentsText: '{"text":"once 1"}' })
  await decide(site.admin, row, approve)
  const { outcomes } = await finished(row.runId)
  expect(outcomes).toMatchObject(lines.map(() => ({ type: 'ok' })))
  expect(await approvalsOf(row.runId)).toHaveLength(1)
  expect(await site.writtenLines()).toEqual(expect.arrayContaining(lines))
  // The next run asks again.
  const next = await startOne(site, append('once 4'))
  await decide(site.admin, next, { type: 'deny', message: '' })
  await finished(next.runId)
})

test('a rule that only observes leaves a note in the trace', async () => {
  const { id } = await site.addRule({ name: 'Watch', action: 'observe' })
  const counted = async () => (await approvalRuleVerbs.read(site.admin, { id })).observed
  expect(await counted()).toEqual({ calls: 0, lastAt: null })
  const { runId } = await start(site, append('watched'))
  const { state, outcomes } = await finished(runId)
  expect(outcomes).toMatchObject([{ type: 'ok' }])
  expect(state.rounds[0]?.notes).toMatchObject([
    { type: 'warning', data: { code: 'rule-observed', message: expect.stringContaining('Watch') } },
  ])
  expect(await counted()).toEqual({ calls: 1, lastAt: expect.any(String) })
  const twice = await start(site, appendEach('watched', 'watched again'))
  await finished(twice.runId)
  expect(await counted()).toMatchObject({ calls: 3 })
  await approvalRuleVerbs.update(site.admin, { id, toolGroup: 'extra' })
  expect(await counted()).toEqual({ calls: 0, lastAt: null })
  expect(await approvalsOf(runId)).toEqual([])
})
