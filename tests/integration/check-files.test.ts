import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deleteCheck, readCheck } from '@/lib/domains/checks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { checkFileText, mostFileBytes } from '@/lib/protocol/check/file-text'
import { exportChecks, importChecks } from '@/lib/runs/checks/carry-checks'
import type { CheckFile } from '@/lib/runs/checks/check-file'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck } from '@/lib/runs/checks/start-check'
import { type ApprovalSite, approvalSiteOfFile } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'

const site: ApprovalSite = approvalSiteOfFile()
const prompt = '[[call list_groups {}]] [[then]] [[say: ok]]'
type Given = Parameters<typeof importChecks>[1]['file']

async function save(name: string = randomUUID(), suites: string[] = []) {
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId)
  return saveCheck(site.admin, { runId, name: `check ${name}`, suites })
}

const exported = async (check: string) => (await exportChecks(site.admin, { check })).file

/** Returns the file with changes in its first check. */
function changed(file: CheckFile, part: object): Given {
  const [first, ...others] = file.checks
  return { ...file, checks: [{ ...first, ...part }, ...others] } as Given
}

async function verdictOf(ctx: Ctx, id: string) {
  const { checkRunId } = await runCheck(ctx, { id })
  const read = () => readCheckRun(ctx, { id: checkRunId })
  await expect.poll(async () => (await read()).endedAt).not.toBeNull()
  return (await read()).verdict
}

async function addMember(): Promise<Ctx> {
  const member = await addPerson('member')
  const { id: configurationId } = await db().configuration.findFirstOrThrow({
    where: { identifier: site.configuration },
  })
  const members = { create: { userId: member.actor.userId } }
  const group = { name: randomUUID(), createdByLabel: 'test', members }
  const { id: groupId } = await db().group.create({ data: group })
  await db().configurationGroup.create({ data: { configurationId, groupId } })
  return member
}

test('a check that is exported, deleted and imported is the same, runs, and says where it is from', async () => {
  const check = await save()
  const file = await exported(check.name)
  await deleteCheck(site.admin, { id: check.id })
  expect(await importChecks(site.admin, { file })).toEqual({
    created: [check.name],
    replaced: [],
    unchanged: [],
  })
  const back = await readCheck(site.admin, { id: check.name })
  const own = { id: '', runId: null, version: 1, createdAt: '', updatedAt: '' }
  expect({ ...back, ...own }).toEqual({ ...check, ...own })
  expect(back.runId).toBeNull()
  expect(await exported(check.name)).toEqual(file)
  expect(await verdictOf(site.admin, back.id)).toBe('passed')
})

test('importing twice changes nothing, and what differs is replaced only when that is said', async () => {
  const check = await save()
  const file = await exported(check.id)
  expect((await importChecks(site.admin, { file })).unchanged).toEqual([check.name])
  const other = changed(file, { description: 'Changed.' })
  await expect(importChecks(site.admin, { file: other })).rejects.toThrow('already')
  expect((await importChecks(site.admin, { file: other, replace: true })).replaced).toEqual([
    check.name,
  ])
  expect(await readCheck(site.admin, { id: check.id })).toMatchObject({
    description: 'Changed.',
    version: 2,
    runId: null,
  })
})

test('whoever imports a check is its author, and counts as the writer of its prompt and results', async () => {
  const check = await save()
  const member = await addMember()
  const file = await exported(check.id)
  await importChecks(member, { file })
  const { userId } = member.actor
  const row = await db().check.findFirstOrThrow({ where: { createdById: userId } })
  expect(row).toMatchObject({ starters: [userId], editors: [userId], runId: null })
  await importChecks(site.admin, { file: changed(file, { tries: 2 }), replace: true })
  expect(await db().check.findUniqueOrThrow({ where: { id: check.id } })).toMatchObject({
    editors: [site.admin.actor.userId],
  })
})

test('what a file names and its reader may not use, or what nobody knows, is refused by name', async () => {
  const file = await exported((await save()).id)
  const stranger = await addPerson('member')
  await expect(importChecks(stranger, { file })).rejects.toMatchObject({
    fields: { 'file.checks.0.configuration': expect.stringContaining('does not exist') },
  })
  const refused = (part: object) => {
    const name = `check ${randomUUID()}`
    return importChecks(site.admin, { file: changed(file, { name, ...part }) })
  }
  const [recording] = file.checks[0]?.recordings ?? []
  const image = { ...recording, outcome: { ...recording?.outcome, images: [] } }
  await expect(refused({ recordings: [image] })).rejects.toMatchObject({
    fields: { 'file.checks.0.recordings.0': expect.stringContaining('images or unknown fields') },
  })
  await expect(refused({ recordings: [{ name: 'x' }] })).rejects.toThrow()
  await expect(refused({ runId: randomUUID() })).rejects.toThrow()
  await expect(refused({ overrides: { model: randomUUID() } })).rejects.toThrow()
  await expect(refused({ prompt: ' ' })).rejects.toThrow()
  await expect(refused({ assertions: [] })).rejects.toThrow()
  await expect(refused({ tries: 1, passes: 2 })).rejects.toThrow()
  await expect(refused({ sources: { a: { type: 'fixed', content: 'a\0b' } } })).rejects.toThrow()
  await expect(refused({ recordings: [{ ...recording, name: '\ud800' }] })).rejects.toThrow()
  const twice = { ...file, checks: [...file.checks, ...file.checks] }
  await expect(importChecks(site.admin, { file: twice })).rejects.toThrow()
  expect(await db().check.count({ where: { createdById: stranger.actor.userId } })).toBe(0)
})

test('a failing check of a file imports none of it', async () => {
  const file = await exported((await save()).id)
  const [check] = file.checks
  if (!check) throw new Error('The file has no check.')
  const fresh = { ...check, name: `check ${randomUUID()}` }
  const lost = { ...check, name: `check ${randomUUID()}`, configuration: 'gone' }
  const both = { ...file, checks: [fresh, lost] }
  await expect(importChecks(site.admin, { file: both })).rejects.toThrow()
  await expect(readCheck(site.admin, { id: fresh.name })).rejects.toThrow()
})

test('a suite is exported without what a file cannot have, which is named; others export nothing of it', async () => {
  const suite = `suite ${randomUUID()}`
  const kept = await save('kept', [suite])
  const left = await save('left', [suite])
  await db().check.update({ where: { id: left.id }, data: { hadTask: true } })
  const { file, leftOut } = await exportChecks(site.admin, { suite })
  expect(file.checks.map(({ name }) => name)).toEqual([kept.name])
  expect(leftOut).toEqual([`${left.name} is not in the file: its runs have a task.`])
  await expect(exportChecks(site.admin, { check: left.id })).rejects.toThrow('Nothing to export')
  const stranger = await addPerson('member')
  await expect(exportChecks(stranger, { suite })).rejects.toThrow('does not exist')
  await expect(exportChecks(stranger, { check: kept.id })).rejects.toThrow('does not exist')
  await expect(exportChecks(site.admin, {})).rejects.toThrow()
})

test('secrets of a run are in no file', async () => {
  const secret = `sk-${'a1B2c3D4'.repeat(6)}`
  const { runId } = await start(site, `${prompt} ${secret}`)
  await collect(site.admin, runId)
  const { id } = await saveCheck(site.admin, { runId, name: `check ${randomUUID()}` })
  const text = checkFileText(await exported(id))
  expect(text).toContain('[[call list_groups')
  expect(text).not.toContain(secret)
})

test('a file that could not be imported again is not exported', async () => {
  const { id } = await save()
  const recording = {
    name: 'list_groups',
    argumentsText: '{}',
    outcome: { type: 'cancelled', reason: 'Short.' },
  }
  const fill = async (count: number) => {
    const recordings = Array.from({ length: count }, () => recording)
    await db().check.update({ where: { id }, data: { recordings } })
  }
  const withOne = checkFileText(await exported(id)).length
  await fill(1_000)
  expect(Buffer.byteLength(checkFileText(await exported(id)))).toBeGreaterThan(withOne)
  await fill(Math.ceil(mostFileBytes / JSON.stringify(recording).length))
  await expect(exported(id)).rejects.toThrow('larger than 1 MB')
})
