import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { reloadSkillFolder } from '@/lib/domains/skills/folder-verbs'
import { importSkills } from '@/lib/domains/skills/import-skills'
import { listSoleLimits } from '@/lib/domains/skills/limits'
import { findSkill, listSkills, readSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import {
  acceptSkillChange,
  deleteSkill,
  restoreSkillVersion,
  setSkillEnabled,
} from '@/lib/domains/skills/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, NotFoundError, UnavailableError } from '@/lib/kernel/errors'
import { RunEventBody } from '@/lib/protocol/run/run-event'
import { startRun } from '@/lib/runs/start/start-run'
import { configurationSkills } from '@/lib/toolset/policy/configuration-skills'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { auditedActions, expectNewestCounts, lists, skillText } from '@/tests/support/skills'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-skills-'))
setEnv({ TOOLGATE_SKILLS_DIR: folder })

let admin: Ctx

beforeEach(async () => {
  await db().skill.deleteMany()
  await db().auditEntry.deleteMany()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  admin = await addPerson('admin')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function onDisk(place: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, place)), { recursive: true })
  await writeFile(path.join(folder, place), text)
}

async function paste(text: string) {
  const files = await readSkillFiles(Buffer.from(text))
  return importSkills(admin, { source: 'paste', files, confirmed: null })
}

test('a change on disk is held back until an admin accepts the version that they saw', async () => {
  await onDisk('one/SKILL.md', skillText('one'))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ added: ['one'], problems: [] })
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ added: [], unchanged: ['one'] })

  await onDisk('one/SKILL.md', skillText('one', lists('get_env')))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ changed: ['one'] })
  const { id } = await findSkill(admin, 'one')
  const seen = await readSkill(admin, { id })
  expect(seen).toMatchObject({
    state: 'changed',
    version: 1,
    pendingVersion: 2,
    allowedTools: null,
  })
  await expectNewestCounts()

  await onDisk('one/SKILL.md', skillText('one', lists('fetch_logs')))
  await reloadSkillFolder(admin, {})
  await expect(
    acceptSkillChange(admin, { id, checksum: seen.history[0]?.checksum ?? '' }),
  ).rejects.toThrow('changed again')
  const now = await readSkill(admin, { id })
  const checksum = now.history[0]?.checksum ?? ''
  expect(await acceptSkillChange(admin, { id, checksum })).toEqual({ id, name: 'one', version: 2 })
  expect(await readSkill(admin, { id })).toMatchObject({
    state: 'on',
    allowedTools: ['fetch_logs'],
  })
  await expect(acceptSkillChange(admin, { id, checksum })).rejects.toThrow(ConflictError)

  await onDisk('one/SKILL.md', skillText('one'))
  await reloadSkillFolder(admin, {})
  await onDisk('one/SKILL.md', skillText('one', lists('fetch_logs')))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ returned: ['one'] })
  expect(await readSkill(admin, { id })).toMatchObject({
    state: 'on',
    version: 2,
    pendingVersion: null,
  })
  await expectNewestCounts()
  expect(await auditedActions()).toEqual([
    'skill.create',
    'skill.change-on-disk',
    'skill.change-on-disk',
    'skill.accept-change',
    'skill.change-on-disk',
    'skill.return',
  ])
})

test('a file that is gone or unusable orphans its skill until it is back; an unreadable folder changes nothing', async () => {
  await onDisk('one/SKILL.md', skillText('one'))
  await onDisk('SKILL.md', skillText('top'))
  await reloadSkillFolder(admin, {})
  await expect(restoreSkillVersion(admin, { id: 'one', version: 1 })).rejects.toThrow(
    'skills folder',
  )
  await onDisk('one/SKILL.md', 'broken')
  const report = await reloadSkillFolder(admin, {})
  expect(report).toMatchObject({ missing: ['one'], unchanged: ['top'] })
  expect(report.problems).toMatchObject([{ path: 'one/SKILL.md' }])
  expect((await listSkills(admin, {})).map(({ state }) => state)).toEqual(['missing', 'on'])

  await rm(path.join(folder, 'one'), { recursive: true })
  await onDisk('moved/SKILL.md', skillText('one'))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ returned: ['one'] })
  expect(await listSkills(admin, {})).toMatchObject([{ state: 'on', path: 'moved/SKILL.md' }, {}])

  const [before] = await listSkills(admin, {})
  await rm(path.join(folder, 'moved'), { recursive: true })
  await onDisk('again/SKILL.md', skillText('one'))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ unchanged: ['top', 'one'] })
  const move = await db().auditEntry.findFirst({ orderBy: { id: 'desc' } })
  expect(move).toMatchObject({
    action: 'skill.move',
    before: { name: 'one', path: 'moved/SKILL.md' },
    after: { name: 'one', path: 'again/SKILL.md' },
  })
  const rows = await listSkills(admin, {})
  expect(rows[0]?.updatedAt).not.toBe(before?.updatedAt)
  const entries = await db().auditEntry.count()
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ unchanged: ['top', 'one'] })
  expect(await listSkills(admin, {})).toEqual(rows)
  expect(await db().auditEntry.count()).toBe(entries)

  await onDisk('SKILL.md', skillText('other'))
  expect(await reloadSkillFolder(admin, {})).toMatchObject({ added: ['other'], missing: ['top'] })
  await rm(folder, { recursive: true })
  await expect(reloadSkillFolder(admin, {})).rejects.toThrow(UnavailableError)
  expect((await listSkills(admin, {})).map(({ state }) => state)).toEqual(['on', 'on', 'missing'])
})

test('a limit outlives its file until an admin ends it, and a run keeps the one it began with', async () => {
  const { configuration } = await addRunSite('http://127.0.0.1:9')
  const { configurationId } = await readConfiguration(db(), admin, configuration)
  await onDisk('limit/SKILL.md', skillText('limit', lists('get_env')))
  await onDisk('words/SKILL.md', skillText('words'))
  await reloadSkillFolder(admin, {})
  const { id } = await findSkill(admin, 'limit')
  for (const name of ['limit', 'words']) {
    const { id: skillId } = await findSkill(admin, name)
    await attachSkill(admin, { configurationId, skillId })
  }
  const begin = async () => {
    const { runId } = await startRun(admin, { configuration, prompt: 'What is set?' })
    const row = await db().runEventRow.findFirstOrThrow({ where: { runId, seq: 1 } })
    const event = RunEventBody.parse({ type: row.type, data: row.data })
    if (event.type !== 'run-start') throw new Error('A run begins with its start.')
    const { snapshot, accepted } = event.data
    return { snapshot, offered: accepted.map(({ name }) => name) }
  }
  const said = async () => {
    const { grant, heldBack, idle, preview } = await configurationSkills(admin, configurationId)
    return { granted: grant.granted, heldBack, idle, sent: preview.text.includes('limit') }
  }
  expect((await begin()).offered).toEqual(['get_env'])

  await onDisk('limit/SKILL.md', skillText('limit', lists('get_env, list_users')))
  await reloadSkillFolder(admin, {})
  const changed = await begin()
  expect(changed.offered).toEqual(['get_env'])
  expect(changed.snapshot.skills.map(({ name }) => name)).toEqual(['words'])
  const still = { granted: ['get_env'], heldBack: { names: ['limit'], limits: true }, idle: [] }
  expect(await said()).toEqual({ ...still, sent: false })
  expect(await listSoleLimits(admin, id)).toMatchObject([{ id: configurationId }])

  await rm(path.join(folder, 'limit'), { recursive: true })
  await reloadSkillFolder(admin, {})
  expect((await begin()).offered).toEqual(['get_env'])
  expect(await said()).toEqual({ ...still, sent: false })

  await setSkillEnabled(admin, { id, enabled: false })
  const open = await begin()
  expect(open.offered).toContain('list_users')
  expect(await said()).toMatchObject({ granted: null, idle: ['limit'] })
  const { snapshot } = changed
  const subject = await loadSubject(db(), {
    userId: admin.actor.userId,
    apiKeyId: null,
    snapshot,
    selected: null,
  })
  expect([...(subject.configuration?.grantedBySkills ?? [])]).toEqual(['get_env'])
})

test('the folder is read no further than it goes', async () => {
  const outside = await mkdtemp(path.join(tmpdir(), 'toolgate-outside-'))
  await writeFile(path.join(outside, 'SKILL.md'), skillText('stolen'))
  await symlink(outside, path.join(folder, 'linked'))
  await mkdir(path.join(folder, 'file-link'))
  await symlink(path.join(outside, 'SKILL.md'), path.join(folder, 'file-link/SKILL.md'))
  await onDisk('deep/er/SKILL.md', skillText('deep'))
  await onDisk('a/SKILL.md', skillText('twin'))
  await onDisk('b/SKILL.md', skillText('twin'))
  await onDisk('.git/SKILL.md', skillText('hidden'))
  await onDisk('notes/README.md', skillText('notes'))
  await mkdir(path.join(folder, 'odd/SKILL.md'), { recursive: true })
  await paste(skillText('taken'))
  await onDisk('taken/SKILL.md', skillText('taken', '', 'Not yours.\n'))
  const { added, problems } = await reloadSkillFolder(admin, {})
  await rm(outside, { recursive: true })
  expect(added).toEqual(['twin'])
  expect(Object.fromEntries(problems.map(({ path: at, problem }) => [at, problem]))).toEqual({
    'b/SKILL.md': expect.stringContaining('same name as a/SKILL.md'),
    'file-link/SKILL.md': expect.stringContaining('outside the skills folder'),
    'linked/SKILL.md': expect.stringContaining('outside the skills folder'),
    'odd/SKILL.md': expect.stringContaining('not a regular file'),
    'taken/SKILL.md': expect.stringContaining('was uploaded'),
  })
  await expect(paste(skillText('twin', '', 'Mine.\n'))).rejects.toThrow('skills folder')
})

test('a skill of the folder is deleted only when nothing brings it back', async () => {
  await onDisk('kept/SKILL.md', skillText('kept'))
  await reloadSkillFolder(admin, {})
  const { id } = await findSkill(admin, 'kept')
  await expect(deleteSkill(admin, { id })).rejects.toThrow('comes from the skills folder')
  await rm(path.join(folder, 'kept'), { recursive: true })
  await reloadSkillFolder(admin, {})
  await deleteSkill(admin, { id })
  await expect(readSkill(admin, { id })).rejects.toThrow(NotFoundError)
})

test('the command line asks before it replaces, and accepts what changed on disk', async () => {
  await paste(skillText('from-cli'))
  const file = path.join(folder, 'new.md')
  await writeFile(file, skillText('from-cli', lists('get_env'), 'Other \u001b[31mwords.\n'))
  const request = await toolgate(['skill', 'add', file])
  expect(request).toMatchObject({ code: 1, stdout: expect.stringContaining('- How to from-cli.') })
  expect(request.stderr).toContain('--replace')
  const replaced = await toolgate(['skill', 'add', file, '--replace', '--json'])
  expect(JSON.parse(replaced.stdout)).toMatchObject({ changed: [{ name: 'from-cli', version: 2 }] })
  await onDisk('disk/SKILL.md', skillText('disk'))
  await reloadSkillFolder(admin, {})
  await onDisk('disk/SKILL.md', skillText('disk', '', 'Changed.\n'))
  await reloadSkillFolder(admin, {})
  const accepted = await toolgate(['skill', 'accept', 'disk'])
  expect(accepted).toEqual({ code: 0, stdout: 'The skill is now version 2.\n', stderr: '' })
})

test('reading the folder again in a terminal fails where a file could not be used', async () => {
  await onDisk('good/SKILL.md', skillText('good'))
  expect(await toolgate(['skill', 'reload'])).toEqual({
    code: 0,
    stdout: 'Added good.\n0 skills did not change.\n',
    stderr: '',
  })
  await onDisk('bad/SKILL.md', '---\nname: bad\ndescription: Use it: now\n---\n')
  const why = 'bad/SKILL.md: The front matter cannot be read at line 3 of the file'
  expect(await toolgate(['skill', 'reload'])).toEqual({
    code: 1,
    stdout: '1 skill did not change.\n',
    stderr: expect.stringContaining(why),
  })
  const { code, stdout } = await toolgate(['skill', 'reload', '--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ problems: [{ path: 'bad/SKILL.md' }] })
})
