import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deleteCheck, listChecks, readCheck } from '@/lib/domains/checks/verbs'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { setToolOverride } from '@/lib/domains/tool-settings/verbs'
import { updateCheck } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { CheckMode } from '@/lib/protocol/check/check'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { listCheckRuns, readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck, stopCheckRun } from '@/lib/runs/checks/start-check'
import { readRun } from '@/lib/runs/read-run'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import {
  type ApprovalSite,
  approvalSiteOfFile,
  decide,
  untilWaiting,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site: ApprovalSite = approvalSiteOfFile()

const call = (name: string, args: object = {}) => `[[call ${name} ${JSON.stringify(args)}]]`
const scripted = (...turns: string[]) =>
  [`${randomUUID()} ${turns[0]}`, ...turns.slice(1), '[[say: ok]]'].join(' [[then]] ')
const newName = () => `check ${randomUUID()}`
const write = (text: string) => call('append_line', { text })

/** Runs a prompt to its end and saves the run as a check. */
async function save(
  prompt: string,
  wishes: Partial<Parameters<typeof saveCheck>[1]> = {},
  ctx = site.admin,
) {
  const { runId } = await start({ ...site, admin: ctx }, prompt)
  await collect(ctx, runId)
  return saveCheck(ctx, { runId, name: newName(), ...wishes })
}

async function untilEnded(ctx: Ctx, checkRunId: string) {
  const ended = async () => (await readCheckRun(ctx, { id: checkRunId })).endedAt
  await expect.poll(ended, { timeout: 20_000 }).not.toBeNull()
  return readCheckRun(ctx, { id: checkRunId })
}

async function run(id: string, mode: CheckMode = 'recorded', ctx = site.admin) {
  const { checkRunId } = await runCheck(ctx, { id, mode })
  return untilEnded(ctx, checkRunId)
}

async function addMember(): Promise<Ctx & { groupId: string }> {
  const member = await addPerson('member')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const members = { create: { userId: member.actor.userId } }
  const configurations = { create: { configurationId } }
  const { id } = await db().group.create({
    data: { name: randomUUID(), members, configurations },
  })
  return { ...member, groupId: id }
}

test('a saved run is green with its recordings, and live', async () => {
  const check = await save(scripted(call('list_groups'), call('list_users')))
  expect(check.recordings.map(({ tool }) => tool)).toEqual(['list_groups', 'list_users'])
  expect(check.assertions.map(({ type }) => type)).toContain('tools-in-order')
  for (const mode of ['recorded', 'live'] as const) {
    const done = await run(check.id, mode)
    expect(done).toMatchObject({ verdict: 'passed', passed: 1, failed: 0, notRun: 0, open: 0 })
    const [result] = done.results
    const judged = result?.judged ?? []
    expect(judged.filter(({ passed }) => !passed)).toEqual([])
    const record = await readRun(site.admin, result?.runId ?? '')
    expect(record.source).toBe('check')
    const { start: begun } = foldRun(record.events)
    expect(begun?.check).toMatchObject({ checkId: check.id, mode })
    expect(begun?.check?.sources.list_groups).toEqual(
      mode === 'live' ? { type: 'live' } : undefined,
    )
  }
})

test('a check outlives its run, and the run of a check gives what was recorded then', async () => {
  const check = await save(scripted(call('list_groups')))
  await db().group.create({ data: { name: `new-${randomUUID()}` } })
  await db().runEventRow.deleteMany({ where: { runId: check.runId ?? '' } })
  await db().run.delete({ where: { id: check.runId ?? '' } })
  const [result] = (await run(check.id)).results
  expect(result?.verdict).toBe('passed')
  const { rounds } = foldRun((await readRun(site.admin, result?.runId ?? '')).events)
  const state = rounds[0]?.calls[0]?.state
  const content =
    state?.type === 'ended' && state.outcome.type === 'ok' ? state.outcome.content : ''
  expect(content).not.toContain('new-')
})

test('a tool that is switched off makes a check red, with the gate in its sentence', async () => {
  const check = await save(scripted(call('list_groups')))
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: false, reason: 'too much' })
  const done = await run(check.id)
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: true })
  expect(done.verdict).toBe('failed')
  const red = done.results[0]?.judged?.filter(({ passed }) => !passed) ?? []
  expect(red.length).toBeGreaterThan(0)
  expect(red.map(({ sentence }) => sentence).join(' ')).toMatch(/switched off|switch/i)
})

test('in live mode, a tool that writes stays recorded unless the check names it', async () => {
  const text = randomUUID()
  const check = await save(scripted(write(text)))
  const lines = async () => (await site.writtenLines()).filter((line) => line === text).length
  expect(await lines()).toBe(1)
  expect(await run(check.id, 'live')).toMatchObject({ verdict: 'passed' })
  expect(await lines()).toBe(1)
  await updateCheck(site.admin, { id: check.id, sources: { append_line: { type: 'live' } } })
  expect(await run(check.id, 'live')).toMatchObject({ verdict: 'passed' })
  expect(await lines()).toBe(2)
})

test('the right of the person who runs a check counts, and a refused start is no red check', async () => {
  const check = await save(scripted(call('list_groups')))
  const member = await addMember()
  await updateCheck(site.admin, { id: check.id, groups: [member.groupId] })
  // Members may not call it.
  const done = await run(check.id, 'recorded', member)
  expect(done.verdict).toBe('failed')
  await db().configurationGroup.deleteMany({ where: { groupId: member.groupId } })
  const refused = await run(check.id, 'recorded', member)
  expect(refused).toMatchObject({ verdict: 'not-run', notRun: 1 })
  expect(refused.results[0]).toMatchObject({ runId: null, judged: null })
  expect(refused.results[0]?.reason).toContain('The configuration')
})

test('a check of somebody else is not there, until a group is given it', async () => {
  const member = await addMember()
  const stranger = await addMember()
  const prompt = `${randomUUID()} [[say: ok]]`
  const check = await save(prompt, {}, member)
  const gone = 'The check does not exist, or you may not see it.'
  await expect(readCheck(stranger, { id: check.id })).rejects.toThrow(gone)
  await expect(runCheck(stranger, { id: check.id })).rejects.toThrow(gone)
  await expect(updateCheck(stranger, { id: check.id, name: 'mine' })).rejects.toThrow(gone)
  await expect(deleteCheck(stranger, { id: check.name })).rejects.toThrow(gone)
  await expect(saveCheck(stranger, { runId: check.runId ?? '', name: 'x' })).rejects.toThrow(
    'This run',
  )
  expect((await listChecks(stranger, {})).checks).toEqual([])
  await expect(updateCheck(member, { id: check.id, groups: [stranger.groupId] })).rejects.toThrow(
    'There is no group',
  )
  await updateCheck(site.admin, { id: check.id, groups: [stranger.groupId] })
  expect((await listChecks(stranger, {})).checks).toMatchObject([{ id: check.id, mayEdit: false }])
  await expect(updateCheck(stranger, { id: check.id, name: 'mine' })).rejects.toThrow(
    'Only its author',
  )
  const done = await run(check.name, 'recorded', stranger)
  expect(done.verdict).toBe('passed')
  await expect(readCheckRun(member, { id: done.id })).rejects.toThrow('does not exist')
  expect((await listCheckRuns(member, { id: check.id })).total).toBe(0)
  expect((await listCheckRuns(site.admin, { id: check.id })).total).toBe(1)
})

test('so many tries must pass as the check says', async () => {
  const check = await save(`${randomUUID()} [[say: ok]]`, { tries: 6, passes: 6 })
  const done = await run(check.id)
  expect(done).toMatchObject({ verdict: 'passed', passed: 6 })
  expect(new Set(done.results.map(({ runId }) => runId)).size).toBe(6)
})

test('at most four tries are open at once, and a stopped run of checks begins nothing further', async () => {
  const check = await save(scripted(write(randomUUID())), { tries: 6, passes: 1 })
  await site.addRule()
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  const { results } = await readCheckRun(site.admin, { id: checkRunId })
  const begun = results.flatMap(({ runId }) => runId ?? [])
  expect(begun).toHaveLength(4)
  for (const runId of begun) await untilWaiting(site.admin, runId)
  await stopCheckRun(site.admin, { id: checkRunId })
  const done = await untilEnded(site.admin, checkRunId)
  expect(done).toMatchObject({ verdict: 'not-run', notRun: 6, stoppedBy: site.admin.actor.email })
  expect(done.results.filter(({ runId }) => runId !== null)).toHaveLength(4)
  await site.removeRules()
})

test('whoever wrote a result of a check approves no call of its runs', async () => {
  const check = await save(scripted(call('list_groups'), write(randomUUID())))
  await site.addRule()
  await updateCheck(site.admin, {
    id: check.id,
    sources: { list_groups: { type: 'fixed', content: 'Nobody.' } },
  })
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  const [result] = (await readCheckRun(site.admin, { id: checkRunId })).results
  const [row] = await untilWaiting(site.admin, result?.runId ?? '')
  if (!row) throw new Error('A call waits.')
  expect(row.context).toMatchObject({ fixed: ['list_groups'] })
  await expect(decide(site.admin, row, { type: 'approve', message: '' })).rejects.toThrow(
    'You edited what this run goes on from',
  )
  await decide(await addPerson('admin'), row, { type: 'approve', message: '' })
  expect(await untilEnded(site.admin, checkRunId)).toMatchObject({ verdict: 'passed' })
  await site.removeRules()
})

test('secrets are not copied, and the check says so', async () => {
  const secret = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`
  const check = await save(`${randomUUID()} ${secret} [[say: ok]]`)
  expect(check.prompt).not.toContain(secret)
  expect(check.leftOut).toEqual(['Secrets in the prompt were removed.'])
})

test('no check is made of a run that goes on, nor of a turn, nor without an assertion', async () => {
  const { runId } = await start(site, `${randomUUID()} [[wait 300ms]] [[say: ok]]`)
  await expect(saveCheck(site.admin, { runId, name: 'a' })).rejects.toThrow('has not ended')
  await collect(site.admin, runId)
  await expect(saveCheck(site.admin, { runId, name: 'a', assertions: [] })).rejects.toThrow(
    'tests nothing',
  )
  await expect(saveCheck(site.admin, { runId, name: 'a', tries: 2, passes: 3 })).rejects.toThrow(
    'A check with 2 tries cannot pass that often',
  )
  const next = await start(site, `${randomUUID()} [[say: ok]]`, { continues: runId })
  await collect(site.admin, next.runId)
  await expect(saveCheck(site.admin, { runId: next.runId, name: 'a' })).rejects.toThrow(
    'continues a conversation',
  )
  const named = newName()
  await saveCheck(site.admin, { runId, name: named })
  await expect(saveCheck(site.admin, { runId, name: named })).rejects.toThrow('has this name')
})

test('a check runs with other configurations, each judged by itself', async () => {
  const check = await save(scripted(call('list_groups')))
  const { modelId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const identifier = `other-${randomUUID()}`
  await createConfiguration(site.admin, { identifier, name: identifier, modelId, maxRounds: 1 })
  const configurations = [site.configuration, identifier]
  const { checkRunId } = await runCheck(site.admin, { id: check.id, configurations })
  const done = await untilEnded(site.admin, checkRunId)
  expect(done.checks.map(({ verdict }) => verdict)).toEqual(['passed', 'failed'])
  expect(done.verdict).toBe('failed')
})

test('a key saves, runs and reads checks with its scopes alone', async () => {
  const { runId } = await start(site, `${randomUUID()} [[say: ok]]`)
  await collect(site.admin, runId)
  const name = newName()
  const body = { json: { name } }
  const few = await apiKeyOf(site.admin, 'checks:write')
  expect((await askApi('POST', `/runs/${runId}/check`, { key: few, ...body })).status).toBe(403)
  const key = await apiKeyOf(site.admin, 'checks:write', 'checks:read', 'runs:read', 'runs:write')
  const saved = await askApi('POST', `/runs/${runId}/check`, { key, ...body })
  expect(saved.status).toBe(201)
  const { id } = await saved.json()
  const begun = await askApi('POST', `/checks/${id}/run`, { key })
  expect(begun.status).toBe(202)
  const done = await untilEnded(site.admin, (await begun.json()).checkRunId)
  const json = async (address: string) => (await askApi('GET', address, { key })).json()
  const read = await askApi('GET', `/check-runs/${done.id}`, { key })
  expect(await read.json()).toMatchObject({ verdict: 'passed' })
  expect(await json(`/checks/${encodeURIComponent(name)}/runs`)).toMatchObject({ total: 1 })
  expect((await json('/checks')).checks).toContainEqual(
    expect.objectContaining({ name, last: expect.objectContaining({ verdict: 'passed' }) }),
  )
  expect((await askApi('DELETE', `/checks/${id}`, { key })).status).toBe(204)
  expect(await json(`/check-runs/${done.id}`)).toMatchObject({
    results: [],
  })
})
