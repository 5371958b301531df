import { afterEach, describe, expect, test } from 'vitest'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import { updateSettings } from '@/lib/domains/settings/verbs'
import { approvalRuleVerbs } from '@/lib/joined-verbs'
import { db } from '@/lib/kernel/db'
import { type ApprovalRow, readApprovals } from '@/lib/runs/approvals/list-approvals'
import { tryRule } from '@/lib/runs/replay/try-rule'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import {
  append,
  approvalSiteOfFile,
  decide,
  finish,
  rulesOf,
  startOne,
  untilWaiting,
} from '@/tests/support/approval-site'
import { browserHeaders } from '@/tests/support/browser-headers'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

const ruleRoute = apiRoute('/approval-rules/{id}')
const rulesRoute = apiRoute('/approval-rules')

const site = approvalSiteOfFile()

afterEach(() => site.removeRules())

const deny = { type: 'deny', message: '' } as const

describe('rules', () => {
  test('are added, changed, switched and removed, audited, by admins alone', async () => {
    const member = await addPerson('member')
    const input = { name: 'Mails', toolName: 'append_line', conditions: [] }
    const { id } = await approvalRuleVerbs.create(site.admin, input)
    await expect(approvalRuleVerbs.create(site.admin, input)).rejects.toMatchObject({ status: 409 })
    const path = '$.to[*]'
    const condition = { path, operator: 'ends-with' as const, value: '@example.org' }
    await approvalRuleVerbs.update(site.admin, { id, ...input, conditions: [condition] })
    const off = { id, enabled: false, reason: 'Too many questions' }
    await approvalRuleVerbs.update(site.admin, off)
    await approvalRuleVerbs.update(site.admin, off)
    expect(await rulesOf(site.admin)).toMatchObject([
      { id, name: 'Mails', enabled: false, conditions: [condition], configurationName: null },
    ])
    await approvalRuleVerbs.remove(site.admin, { id, reason: 'Replaced' })
    const audit = await db().auditEntry.findMany({
      where: { objectType: 'approval-rule', objectId: id },
      orderBy: { at: 'asc' },
    })
    const steps = audit.map(({ action, before, after, reason }) => [
      action,
      before !== null,
      after !== null,
      reason,
    ])
    expect(steps).toEqual([
      ['approval-rule.create', false, true, ''],
      ['approval-rule.update', true, true, ''],
      ['approval-rule.switch-off', true, true, 'Too many questions'],
      ['approval-rule.delete', true, false, 'Replaced'],
    ])
    const gone = { status: 404 }
    await expect(approvalRuleVerbs.update(site.admin, { id, ...input })).rejects.toMatchObject(gone)
    await expect(approvalRuleVerbs.remove(site.admin, { id })).rejects.toMatchObject(gone)
    const refused = { status: 403 }
    for (const verb of [
      approvalRuleVerbs.create(member, input),
      approvalRuleVerbs.update(member, { id, ...input }),
      approvalRuleVerbs.update(member, { id, enabled: true }),
      approvalRuleVerbs.remove(member, { id }),
      rulesOf(member),
      tryRule(member, { rule: input }),
    ]) {
      await expect(verb).rejects.toMatchObject(refused)
    }
  })

  test.each([
    [{}, 'Pick what the rule is about, or add a condition.'],
    [{ conditions: [{ path: '$..x', operator: 'exists' }] }, 'The path cannot be read from "..x"'],
    [{ conditions: [{ path: '$.n', operator: 'less-than', value: 'x' }] }, 'compares numbers'],
    [{ conditions: [{ path: '$.n', operator: 'contains' }] }, '"contains" needs a value.'],
    [
      { configurationId: '0198a000-0000-7000-8000-000000000000' },
      'This configuration does not exist.',
    ],
  ] as const)('are refused with a sentence: %j', async (fields, message) => {
    const rule = {
      name: 'Broken',
      ...fields,
      conditions: [...('conditions' in fields ? fields.conditions : [])],
    }
    await expect(approvalRuleVerbs.create(site.admin, rule)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
    })
  })

  test('that refuse are new ones ignoring case and look-alikes, unless they say otherwise', async () => {
    const { admin } = site
    const boss = { path: '$.to', operator: 'equals' as const, value: 'boss@example.org' }
    const amount = { path: '$.n', operator: 'at-least' as const, value: '5' }
    const rule = { name: 'Boss', toolName: 'append_line', conditions: [boss, amount] }
    const stored = async (given: object) => {
      const { id } = await approvalRuleVerbs.create(admin, { ...rule, ...given })
      const { conditions } = await approvalRuleVerbs.read(admin, { id })
      await approvalRuleVerbs.update(admin, { id, conditions: rule.conditions })
      const later = await approvalRuleVerbs.read(admin, { id })
      expect(later.conditions).toEqual(rule.conditions)
      await approvalRuleVerbs.remove(admin, { id, reason: 'a test' })
      return conditions
    }
    expect(await stored({ action: 'deny' })).toEqual([{ ...boss, loose: true }, amount])
    const exact = [{ ...boss, loose: false }]
    expect(await stored({ action: 'deny', conditions: exact })).toEqual([boss])
    expect(await stored({ action: 'ask' })).toEqual([boss, amount])
    const other = { ...boss, operator: 'not-equals' as const, loose: true }
    await expect(
      approvalRuleVerbs.create(admin, { ...rule, conditions: [other] }),
    ).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('"not-equals" compares exactly.'),
    })
  })

  test('about what does not exist are refused with the nearest name, or stored when that is confirmed', async () => {
    const { admin } = site
    const rule = { name: 'Early', toolName: 'append_lines', toolGroup: 'extras' }
    await expect(approvalRuleVerbs.create(admin, rule)).rejects.toMatchObject({
      status: 422,
      fields: {
        toolName: 'There is no tool "append_lines". Did you mean "append_line"?',
        toolGroup: 'There is no tool group "extras". Did you mean "extra"?',
      },
    })
    const { id } = await approvalRuleVerbs.create(admin, { ...rule, notYet: true })
    const [stored] = await rulesOf(admin)
    expect(stored).toMatchObject({ id, enabled: true, missing: ['tool', 'group'] })
    await approvalRuleVerbs.update(admin, { id, ...rule, name: 'Kept' })
    const other = { ...rule, toolName: 'write_lines' }
    await expect(approvalRuleVerbs.update(admin, { id, ...other })).rejects.toMatchObject({
      status: 422,
    })
    await approvalRuleVerbs.update(admin, { id, ...rule, toolName: 'append_line', toolGroup: null })
    expect(await rulesOf(admin)).toMatchObject([{ missing: [] }])
    const audit = await db().auditEntry.findFirst({
      where: { objectId: id, action: 'approval-rule.create' },
    })
    expect(audit?.after).toMatchObject({ toolName: 'append_lines', notYet: true })
    const member = await addPerson('member')
    await expect(approvalRuleVerbs.create(member, rule)).rejects.toMatchObject({ status: 403 })
    await expect(approvalRuleVerbs.update(member, { id, ...rule })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('are governed over HTTP', async () => {
    const key = await apiKeyOf(site.admin, 'approval-rules:read', 'approval-rules:write')
    const address = '/api/v1/approval-rules'
    const send = (json: object) => ask(rulesRoute.POST, 'POST', address, { key, json })
    const early = { name: 'Over HTTP', toolName: 'append_lin' }
    const refused = await send(early)
    expect(refused.status).toBe(422)
    expect(JSON.stringify(await refused.json())).toContain('Did you mean')
    const nearly = await send({ name: 'x', configuration: `${site.configuration}x` })
    expect(nearly.status).toBe(422)
    expect(JSON.stringify(await nearly.json())).toContain(site.configuration)
    expect((await send({ ...early, notyet: true })).status).toBe(422)
    const made = await send({ ...early, configuration: site.configuration, notYet: true })
    expect(made.status).toBe(201)
    const { rule } = await made.json()
    expect(rule).toMatchObject({ toolName: 'append_lin', missing: ['tool'], enabled: true })
    const params = { id: rule.id }
    const json = { toolName: 'append_line', enabled: false, reason: 'Later' }
    // The tool changes a file, so no key may lift what a rule asks about it.
    const headers = await browserHeaders(site.admin)
    expect((await ask(ruleRoute.PATCH, 'PATCH', address, { key, params, json })).status).toBe(403)
    const changed = await ask(ruleRoute.PATCH, 'PATCH', address, { headers, params, json })
    expect((await changed.json()).rule).toMatchObject({
      name: 'Over HTTP',
      toolName: 'append_line',
      configurationId: rule.configurationId,
      missing: [],
      enabled: false,
    })
    const list = await ask(rulesRoute.GET, 'GET', address, { key })
    expect((await list.json()).rules).toMatchObject([{ id: rule.id, missing: [] }])
    const shown = await ask(ruleRoute.GET, 'GET', address, { key, params: { id: 'Over HTTP' } })
    expect((await shown.json()).rule).toMatchObject({ id: rule.id })
    expect((await ask(ruleRoute.DELETE, 'DELETE', address, { key, params })).status).toBe(204)
    expect((await ask(ruleRoute.GET, 'GET', address, { key, params })).status).toBe(404)
  })

  test('that come while the calls of a round run hold the next one back', async () => {
    const prompt =
      '[[call append_line {"text":"first","delayAfterMs":2000}]] [[call append_line {"text":"second"}]] [[then]] [[say: done]]'
    const { runId } = await start(site, prompt)
    await collect(site.admin, runId, { until: (event) => event.type === 'call-start' })
    await site.addRule()
    const [row] = await untilWaiting(site.admin, runId)
    expect(row).toMatchObject({ argumentsText: '{"text":"second"}' })
    expect(await site.writtenLines()).toEqual(['first'])
    if (row) await decide(site.admin, row, deny)
    const state = await finish(site.admin, runId)
    expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
      { outcome: { type: 'ok' } },
      { outcome: { type: 'denied', gate: 'approval' } },
    ])
    expect(await site.writtenLines()).toEqual(['first'])
  })

  test('make a call wait as long as the site says when it is asked about', async () => {
    await site.addRule()
    const hours = [1, 3]
    const waiting = []
    for (const each of hours) {
      await updateSettings(site.admin, { approvalLifetimeMs: each * 3_600_000 })
      waiting.push(await startOne(site, append(`within ${each} h`)))
    }
    const { approvals: rows } = await readApprovals(site.admin, ApprovalFilter.parse({}))
    const hoursOf = ({ requestedAt, expiresAt }: ApprovalRow) =>
      Math.round((Date.parse(expiresAt) - Date.parse(requestedAt)) / 3_600_000)
    expect(rows.map(hoursOf).sort()).toEqual(hours)
    for (const row of waiting) {
      await decide(site.admin, row, deny)
      await finish(site.admin, row.runId)
    }
  })

  test('look into arguments, and tell beforehand what they would have matched', async () => {
    const conditions = [{ path: '$.text', operator: 'starts-with' as const, value: 'danger' }]
    await site.addRule({ toolName: null, toolGroup: 'extra', conditions })
    const { runId } = await start(site, append('harmless'))
    expect((await finish(site.admin, runId)).end?.reason).toBe('completed')
    const row = await startOne(site, append('danger ahead'))
    await decide(site.admin, row, deny)
    await finish(site.admin, row.runId)
    const rule = { name: 'Tried', toolName: 'append_line', conditions }
    const trial = await tryRule(site.admin, { rule, days: 1 })
    // With the stored rule, the draft asks about nothing new.
    expect(trial).toMatchObject({ changed: 0, baseline: 0 })
    expect(trial.replayed).toBeGreaterThan(2)
    const wide = await tryRule(site.admin, { rule: { ...rule, conditions: [] } })
    expect(wide.runs.map((run) => run.runId)).toContain(runId)
    expect(wide.runs.map((run) => run.runId)).not.toContain(row.runId)
  })

  test('are tried on arguments with their defaults, as a run asks', async () => {
    const prompt = '[[call fetch_logs {}]] [[then]] [[say: done]]'
    const { runId } = await start(site, prompt)
    await finish(site.admin, runId)
    const conditions = [{ path: '$.limit', operator: 'equals' as const, value: '20' }]
    const rule = { name: 'As many as ever', toolName: 'fetch_logs', conditions }
    const trial = await tryRule(site.admin, { rule })
    expect(trial).toMatchObject({ changed: 1, runs: [{ runId, gate: 'approval' }] })
    await site.addRule(rule)
    const row = await startOne(site, prompt)
    await decide(site.admin, row, deny)
    await finish(site.admin, row.runId)
  })

  test('are added, changed, tried and used to answer by the command line', async () => {
    const as = ['--as', site.admin.actor.email, '--json']
    const rule = ['approval', 'rule', 'add', '--name', 'Lines', '--tool', 'append_line']
    const added = await toolgate([...rule, '--condition', '$.text contains from here', ...as])
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const condition = { path: '$.text', operator: 'contains', value: 'from here' }
    expect(await rulesOf(site.admin)).toMatchObject([{ name: 'Lines', conditions: [condition] }])
    const row = await startOne(site, append('not from here'))
    const edited = ['approval', 'edit', row.approvalId, '--arguments', '{"text":"by hand"}']
    const { stdout } = await toolgate([...edited, ...as])
    expect(JSON.parse(stdout)).toMatchObject({ runId: row.runId, status: 'edited' })
    await finish(site.admin, row.runId)
    expect(await site.writtenLines()).toContain('by hand')

    const change = ['approval', 'rule', 'change', 'Lines', '--name', 'All lines', '--no-tool']
    const loose = ['--condition', '$.text loosely-contains FROM HERE']
    const group = ['--group', 'extra', '--action', 'observe']
    const changed = await toolgate([...change, ...group, ...loose, ...as])
    expect(JSON.parse(changed.stdout)).toMatchObject({
      name: 'All lines',
      action: 'observe',
      toolName: null,
      toolGroup: 'extra',
      conditions: [{ ...condition, value: 'FROM HERE', loose: true }],
      enabled: true,
    })
    const attempt = ['approval', 'rule', 'try', 'All lines', '--days', '1']
    const tried = await toolgate([...attempt, ...as])
    expect(JSON.parse(tried.stdout)).toMatchObject({ changed: 0, baseline: 0 })
    const stricter = await toolgate([...attempt, '--action', 'deny', ...as])
    expect(JSON.parse(stricter.stdout)).toMatchObject({
      changed: 1,
      runs: [{ runId: row.runId, gate: 'rule' }],
    })
    const wide = await toolgate([...attempt, '--no-condition', ...as])
    expect(JSON.parse(wide.stdout)).toMatchObject({ changed: 0 })
    expect(JSON.parse(wide.stdout).noted).toBeGreaterThan(1)
    const misspelt = ['approval', 'rule', 'change', 'All lines', '--tool', 'append_lin']
    expect(await toolgate(misspelt)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Did you mean "append_line"\? .* add --not-yet\./),
    })
    const early = await toolgate([...misspelt, '--not-yet'])
    expect(early.stdout).toContain('append_lin (does not exist)')
    const nothing = await toolgate(['approval', 'rule', 'try'])
    expect(nothing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Pick what the rule'),
    })
    const [kept] = await rulesOf(site.admin)
    expect(kept).toMatchObject({
      name: 'All lines',
      conditions: [{ ...condition, value: 'FROM HERE', loose: true }],
    })
  })
})
