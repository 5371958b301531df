import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findRedChecks } from '@/lib/domains/checks/reads'
import { listChecks } from '@/lib/domains/checks/verbs'
import { setToolOverride } from '@/lib/domains/tool-settings/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { NotFoundError } from '@/lib/kernel/errors'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import {
  readCheckRunOf,
  readEarlier,
  readGroupChoices,
  withConfigurations,
} from '@/lib/runs/checks/read-for-pages'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck } from '@/lib/runs/checks/start-check'
import { type ApprovalSite, approvalSiteOfFile } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site: ApprovalSite = approvalSiteOfFile()

async function save() {
  const prompt = `${randomUUID()} [[call list_groups {}]] [[then]] [[say: ok]]`
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId)
  return saveCheck(site.admin, { runId, name: `check ${randomUUID()}` })
}

async function run(id: string) {
  const { checkRunId } = await runCheck(site.admin, { id })
  const read = () => readCheckRun(site.admin, { id: checkRunId })
  await expect.poll(async () => (await read()).endedAt, { timeout: 20_000 }).not.toBeNull()
  return read()
}

test('a red result knows the green one before it, and the run that the check was saved from', async () => {
  const check = await save()
  const green = await run(check.id)
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: false, reason: 'a test' })
  const red = await run(check.id)
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: true })
  const originalRunId = check.runId ?? ''
  expect(await readEarlier(site.admin, green)).toMatchObject([{ passedRunId: null, originalRunId }])
  const passedRunId = green.results[0]?.runId
  expect(red.verdict).toBe('failed')
  expect(red.checks[0]?.before).toBe('passed')
  expect(await readEarlier(site.admin, red)).toMatchObject([{ passedRunId, originalRunId }])
  await db().runEventRow.deleteMany({ where: { runId: originalRunId } })
  await db().run.delete({ where: { id: originalRunId } })
  expect(await readEarlier(site.admin, red)).toMatchObject([{ originalRunId: null }])
})

test('a run of a check leads to its results, for those who may see them', async () => {
  const check = await save()
  const done = await run(check.id)
  const runId = done.results[0]?.runId ?? ''
  expect(await readCheckRunOf(site.admin, runId)).toEqual({ checkRunId: done.id })
  const stranger: Ctx = await addPerson('member')
  await expect(readCheckRunOf(stranger, runId)).rejects.toThrow(NotFoundError)
  await expect(readCheckRunOf(site.admin, check.runId ?? '')).rejects.toThrow(NotFoundError)
  await expect(readCheckRunOf(site.admin, 'no id')).rejects.toThrow(NotFoundError)
})

test('the history of a check names its configurations with the versions that ran', async () => {
  const check = await save()
  const first = await run(check.id)
  await db().configuration.updateMany({
    where: { id: String(check.configuration.id) },
    data: { version: 7 },
  })
  const second = await run(check.id)
  const third = await run(check.id)
  const rows = await withConfigurations([third, second], [first], check.id)
  const named = { id: check.configuration.id, version: 7 }
  expect(rows).toMatchObject([
    { id: third.id, configurations: [named], changed: [] },
    { id: second.id, configurations: [named], changed: [named] },
  ])
  // The first run has no run before it.
  expect(await withConfigurations([first], [])).toMatchObject([{ id: first.id, changed: [] }])
})

test('a check is red by its newest run, in the list and in the number of it', async () => {
  const check = await save()
  const listed = async () => {
    const { checks, total } = await listChecks(site.admin, { state: 'red' })
    const ids = checks.map(({ id }) => id)
    expect(await findRedChecks(db(), site.admin)).toHaveLength(total)
    return ids.includes(check.id)
  }
  expect(await listed()).toBe(false)
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: false, reason: 'a test' })
  await run(check.id)
  await setToolOverride(site.admin, { toolName: 'list_groups', enabled: true })
  expect(await listed()).toBe(true)
  await run(check.id)
  expect(await listed()).toBe(false)
})

test('members give checks to their groups, admins to all', async () => {
  const member = await addPerson('member')
  const members = { create: { userId: member.actor.userId } }
  const own = await db().group.create({ data: { name: randomUUID(), members } })
  const other = await db().group.create({ data: { name: randomUUID() } })
  expect(await readGroupChoices(member)).toEqual([{ id: own.id, name: own.name }])
  const ids = (await readGroupChoices(site.admin)).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([own.id, other.id]))
})
