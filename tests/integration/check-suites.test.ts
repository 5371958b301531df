import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { setToolOverride } from '@/lib/domains/tool-settings/verbs'
import { updateCheck } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { listSuiteRuns, listSuites, readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck, runSuite } from '@/lib/runs/checks/start-check'
import { runningEngine } from '@/lib/runs/engine/engine'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { type ApprovalSite, approvalSiteOfFile } from '@/tests/support/approval-site'
import { addConfiguration } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

const site: ApprovalSite = approvalSiteOfFile()

const calling = (tool: string) => `${randomUUID()} [[call ${tool} {}]] [[then]] [[say: ok]]`

/** Saves a run that calls a tool as a check of a suite. */
async function save(tool: string, suite: string, wishes: object = {}) {
  const { runId } = await start(site, calling(tool))
  await collect(site.admin, runId)
  const name = `${tool} ${randomUUID()}`
  return saveCheck(site.admin, { runId, name, suites: [suite], ...wishes })
}

async function untilEnded(ctx: Ctx, checkRunId: string) {
  const ended = async () => (await readCheckRun(ctx, { id: checkRunId })).endedAt
  await expect.poll(ended, { timeout: 30_000 }).not.toBeNull()
  return readCheckRun(ctx, { id: checkRunId })
}

async function run(suite: string, wishes: object = {}, ctx: Ctx = site.admin) {
  const { checkRunId } = await runSuite(ctx, { suite, ...wishes })
  return untilEnded(ctx, checkRunId)
}

/** Adds a configuration with the same model as that of the site. */
async function addOther(): Promise<string> {
  const { modelId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  return addConfiguration(site.admin, { modelId })
}

test('a suite runs its checks with each configuration, and says what is newly red', async () => {
  const suite = `nightly ${randomUUID()}`
  const groups = await save('list_groups', suite)
  const users = await save('list_users', suite, { tries: 2, passes: 1 })
  const configurations = [site.configuration, await addOther()]
  const green = await run(suite, { configurations })
  expect(green).toMatchObject({ name: suite, isSuite: true, verdict: 'passed', previous: null })
  expect(green.results).toHaveLength(6)
  expect(green.checks.map(({ checkId }) => checkId)).toEqual(
    [groups.id, groups.id, users.id, users.id].toSorted(
      (a, b) => Number(a === users.id) - Number(b === users.id),
    ),
  )
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: false, reason: 'leaks' })
  const red = await run(suite, { configurations })
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: true })
  expect(red).toMatchObject({ verdict: 'failed', previous: { id: green.id } })
  expect(red.checks.map(({ verdict, before }) => [before, verdict])).toEqual([
    ['passed', 'failed'],
    ['passed', 'failed'],
    ['passed', 'passed'],
    ['passed', 'passed'],
  ])
  expect(red.checks[0]).toMatchObject({ configurationVersion: 1, versionBefore: 1 })
  const listed = await listSuites(site.admin, {})
  const found = listed.suites.find(({ name }) => name === suite)
  expect(found).toMatchObject({ checks: 2, last: { id: red.id, verdict: 'failed' } })
  expect((await listSuiteRuns(site.admin, { suite })).runs.map(({ id }) => id)).toEqual([
    red.id,
    green.id,
  ])
})

test('a budget below the first requests of all tries starts nothing, and names the sum', async () => {
  const suite = `dear ${randomUUID()}`
  await save('list_groups', suite, { tries: 5, passes: 5 })
  const { id } = await budgetVerbs.create(site.admin, {
    scope: 'site',
    window: 'day',
    unit: 'requests',
    amount: 4,
  })
  // The engine hears of it by a notification.
  await expect.poll(() => runningEngine()?.budgetsInForce()).toBe(true)
  const before = await db().run.count()
  const refused = runSuite(site.admin, { suite })
  await expect(refused).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/^Nothing was started\. .*of the 5 tries .* together/),
  })
  expect(await db().run.count()).toBe(before)
  expect(await db().checkRun.count({ where: { name: suite } })).toBe(0)
  await budgetVerbs.update(site.admin, { id, amount: 1_000_000 })
  expect((await run(suite)).verdict).toBe('passed')
  await budgetVerbs.remove(site.admin, { id })
})

test('a member runs what they may see of a suite, and nothing of another', async () => {
  const suite = `shared ${randomUUID()}`
  const member = await addPerson('member')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const { id: groupId } = await db().group.create({
    data: {
      name: randomUUID(),
      members: { create: { userId: member.actor.userId } },
      configurations: { create: { configurationId } },
    },
  })
  const given = await save('list_groups', suite, { groups: [groupId] })
  await save('list_users', suite)
  await expect(runSuite(member, { suite: `none ${suite}` })).rejects.toMatchObject({ status: 404 })
  const done = await run(suite, {}, member)
  expect(done.results.map(({ checkId }) => checkId)).toEqual([given.id])
  await updateCheck(site.admin, { id: given.id, suites: [] })
  await expect(runSuite(member, { suite })).rejects.toMatchObject({ status: 404 })
  expect((await listSuites(member, {})).suites).toEqual([])
  const stranger = await addPerson('member')
  await expect(listSuiteRuns(stranger, { suite })).rejects.toMatchObject({ status: 404 })
  expect((await listSuiteRuns(member, { suite })).total).toBe(1)
})

test('a repeated request with the same idempotency key begins one run of checks, and audits one', async () => {
  const suite = `repeated ${randomUUID()}`
  const { id } = await save('list_groups', suite)
  for (const begin of [
    (wishes: object) => runSuite(site.admin, { suite, ...wishes }),
    (wishes: object) => runCheck(site.admin, { id, ...wishes }),
  ]) {
    const key = { idempotencyKey: randomUUID() }
    const before = await db().checkRun.count()
    const audited = await db().auditEntry.count()
    const begun = await Promise.all([1, 2, 3, 4].map(() => begin(key)))
    expect(new Set(begun.map(({ checkRunId }) => checkRunId)).size).toBe(1)
    expect(begun.filter(({ created }) => created)).toHaveLength(1)
    const [{ checkRunId } = { checkRunId: '' }] = begun
    await untilEnded(site.admin, checkRunId)
    expect(await begin(key)).toEqual({ checkRunId, created: false })
    expect(await db().checkRun.count()).toBe(before + 1)
    // The run of checks, and its only run.
    expect(await db().auditEntry.count()).toBe(audited + 2)
    await expect(begin({ ...key, mode: 'live' })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('was used for another run of checks'),
    })
    const other = await begin({ idempotencyKey: randomUUID() })
    expect(other.checkRunId).not.toBe(checkRunId)
    await untilEnded(site.admin, other.checkRunId)
  }
})

test('API and terminal run a suite, list it, and write JUnit', async () => {
  const suite = `ci ${randomUUID()}`
  await save('list_groups', suite)
  const key = await apiKeyOf(site.admin, 'checks:read', 'runs:read', 'runs:write')
  const path = `/check-suites/${encodeURIComponent(suite)}`
  const begun = await askApi('POST', `${path}/run`, { key, json: { mode: 'recorded' } })
  expect(begun.status).toBe(202)
  const { checkRunId } = await begun.json()
  await untilEnded(site.admin, checkRunId)
  const runs = await (await askApi('GET', `${path}/runs`, { key })).json()
  expect(runs.runs).toMatchObject([{ id: checkRunId, isSuite: true, verdict: 'passed' }])
  const listed = await (await askApi('GET', '/check-suites', { key })).json()
  expect(JSON.stringify(listed)).toContain(suite)
  const again = ['check', 'run', suite, '--idempotency-key', 'step 1', '--json']
  const [first, second] = [await toolgate(again), await toolgate(again)]
  expect([first.code, second.code]).toEqual([0, 0])
  expect(JSON.parse(second.stdout).id).toBe(JSON.parse(first.stdout).id)
  const printed = await toolgate(['check', 'suites'])
  expect(printed.stdout).toContain(suite)
  const unknown = await toolgate(['check', 'run', `no ${suite}`])
  expect(unknown).toMatchObject({ code: 1 })
  expect(unknown.stderr).toContain('The check or suite')
})
