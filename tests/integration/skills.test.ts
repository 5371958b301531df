import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import {
  attachSkill,
  detachSkill,
  listConfigurationSkills,
  moveAttachedSkill,
  setAttachedSkillEnabled,
} from '@/lib/domains/skills/attachments'
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
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/kernel/errors'
import { configurationSkills } from '@/lib/toolset/policy/configuration-skills'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { auditedActions, expectNewestCounts, lists, skillText } from '@/tests/support/skills'
import { allowedTools } from '@/tests/support/task-fixture'
import { toolgate } from '@/tests/support/toolgate-process'
import { zipArchive } from '@/tests/support/zip-archive'

let admin: Ctx

beforeEach(async () => {
  await db().configurationSkill.deleteMany()
  await db().skill.deleteMany()
  await db().auditEntry.deleteMany()
  admin = await addPerson('admin')
})
async function give(text: string, confirmed: string | null = null) {
  const files = await readSkillFiles(Buffer.from(text))
  return importSkills(admin, { source: 'paste', files, confirmed })
}

/** Adds a skill, or gives it a new version. Returns its id. */
async function put(name: string, more = '', body?: string): Promise<string> {
  const text = skillText(name, more, body)
  const first = await give(text)
  if (first.type === 'confirm') await give(text, first.fingerprint)
  return (await findSkill(admin, name)).id
}

test('a changed skill is a new version once its difference is confirmed, and can be brought back', async () => {
  const first = skillText('one', 'z: 1\nmetadata: { owner: Ada, a: 1 }\n')
  expect(await give(first)).toMatchObject({ type: 'done', added: [{ version: 1 }] })
  expect(await give(first)).toMatchObject({ type: 'done', unchanged: [{ version: 1 }] })
  const request = await give(skillText('one', lists('get_env'), 'Other words.\n'))
  if (request.type !== 'confirm') throw new Error('It was not asked.')
  expect(request.changes).toMatchObject([
    { name: 'one', version: 1, allowedTools: { before: null, after: ['get_env'] } },
  ])
  expect(request.changes[0]?.diff).toContainEqual({ type: 'removed', value: 'How to one.\n' })
  const { id } = await findSkill(admin, 'one')
  expect((await readSkill(admin, { id })).version).toBe(1)

  await expect(give(skillText('one', '', 'Third.\n'), request.fingerprint)).rejects.toThrow(
    ConflictError,
  )
  await give(skillText('one', lists('get_env'), 'Other words.\n'), request.fingerprint)
  const changed = await readSkill(admin, { id })
  expect(changed).toMatchObject({ version: 2, allowedTools: ['get_env'], state: 'on' })
  expect(await give(changed.history[0]?.file ?? '')).toMatchObject({ unchanged: [{ version: 2 }] })

  expect(await restoreSkillVersion(admin, { id, version: 1 })).toMatchObject({ version: 3 })
  const restored = await readSkill(admin, { id })
  expect(restored.history.map(({ version, body }) => [version, body])).toEqual([
    [3, 'How to one.\n'],
    [2, 'Other words.\n'],
    [1, 'How to one.\n'],
  ])
  await expect(restoreSkillVersion(admin, { id, version: 3 })).rejects.toThrow(ConflictError)
  await expect(restoreSkillVersion(admin, { id, version: 9 })).rejects.toThrow(NotFoundError)
  expect(await auditedActions()).toEqual(['skill.create', 'skill.update', 'skill.restore'])
  const trail = JSON.stringify(await db().auditEntry.findMany())
  expect(trail).toContain(restored.history[0]?.checksum)
  expect(trail).not.toContain('Other words')
  await expectNewestCounts()
})

test('the good skills of an archive are taken', async () => {
  const archive = (second: string) =>
    zipArchive([
      { name: 'a/SKILL.md', content: skillText('a') },
      { name: 'b/SKILL.md', content: second },
    ])
  expect(await readSkillFiles(archive('no front matter'))).toMatchObject([{ name: 'a' }])
  await expect(readSkillFiles(archive(skillText('a')))).rejects.toThrow(
    'Another file is named a, too.',
  )
  const files = await readSkillFiles(archive(skillText('b')))
  await importSkills(admin, { source: 'upload', files, confirmed: null })
  expect((await listSkills(admin, {})).map(({ name, source }) => [name, source])).toEqual([
    ['a', 'upload'],
    ['b', 'upload'],
  ])
})

test('a skill is deleted only when nothing uses it', async () => {
  const site = await addRunSite('http://127.0.0.1:9')
  const configuration = await readConfiguration(db(), admin, site.configuration)
  const attachment = { configurationId: configuration.configurationId, skillId: await put('used') }
  expect(await attachSkill(admin, attachment)).toMatchObject({ changed: true })
  expect(await attachSkill(admin, attachment)).toMatchObject({ changed: false })
  await expect(deleteSkill(admin, { id: attachment.skillId })).rejects.toThrow(
    `used is used by ${configuration.configurationName}.`,
  )
  expect(await detachSkill(admin, attachment)).toMatchObject({ changed: true })
  await deleteSkill(admin, { id: attachment.skillId })
  expect(await listSkills(admin, {})).toEqual([])
})

/** Returns the tools that a run may use which starts with the configuration as it is now. */
async function granted(configuration: string): Promise<string[]> {
  return allowedTools(admin, await readConfiguration(db(), admin, configuration))
}

test('G-S: absent, empty, union, unknown names, order, and switches that act on runs in flight', async () => {
  const { configuration } = await addRunSite('http://127.0.0.1:9')
  const { configurationId } = await readConfiguration(db(), admin, configuration)
  const all = await granted(configuration)
  expect(all).toContain('list_users')
  const attach = async (name: string, more = '') => {
    const skillId = await put(name, more)
    await attachSkill(admin, { configurationId, skillId })
    return { configurationId, skillId }
  }
  await attach('silent')
  expect(await granted(configuration)).toEqual(all)
  const empty = await attach('empty', lists(''))
  expect(await granted(configuration)).toEqual([])
  const env = await attach('env', lists('get_env, no_such_tool, __proto__, Get_Env'))
  expect(await granted(configuration)).toEqual(['get_env'])
  const logs = await attach('logs', lists('fetch_logs'))
  expect(await granted(configuration)).toEqual(['fetch_logs', 'get_env'])
  expect((await configurationSkills(admin, configurationId)).grant).toEqual({
    granted: ['fetch_logs', 'get_env'],
    unknown: ['Get_Env', '__proto__', 'no_such_tool'],
  })

  expect(await listSoleLimits(admin, logs.skillId)).toEqual([])

  const running = await readConfiguration(db(), admin, configuration)
  await setAttachedSkillEnabled(admin, { ...logs, enabled: false })
  expect(await allowedTools(admin, running)).toEqual(['get_env'])
  await setSkillEnabled(admin, { id: env.skillId, enabled: false })
  expect(await allowedTools(admin, running)).toEqual([])
  expect(await configurationSkills(admin, configurationId)).toMatchObject({
    grant: { granted: [] },
    idle: ['env', 'logs'],
  })
  expect(await listSoleLimits(admin, empty.skillId)).toMatchObject([{ id: configurationId }])
  await setSkillEnabled(admin, { id: empty.skillId, enabled: false })
  expect(await listSoleLimits(admin, empty.skillId)).toEqual([])
  const task = { identifier: 'limited', name: 'Limited', prompt: 'x', configurationId }
  const { id: taskId } = await taskVerbs.create(admin, { ...task, skills: [{ id: empty.skillId }] })
  expect(await listSoleLimits(admin, empty.skillId)).toEqual([])
  await setSkillEnabled(admin, { id: empty.skillId, enabled: true })
  await setAttachedSkillEnabled(admin, { ...empty, enabled: false })
  expect(await listSoleLimits(admin, empty.skillId)).toMatchObject([{ type: 'task', id: taskId }])
  await setSkillEnabled(admin, { id: logs.skillId, enabled: true })
  await setAttachedSkillEnabled(admin, { ...logs, enabled: true })
  expect(await listSoleLimits(admin, empty.skillId)).toEqual([])
  await setAttachedSkillEnabled(admin, { ...logs, enabled: false })
  const off = await setSkillEnabled(admin, { id: empty.skillId, enabled: false })
  expect(off).toMatchObject({ changed: true, limitGone: ['task limited'] })
  await setAttachedSkillEnabled(admin, { ...empty, enabled: true })
  expect(await configurationSkills(admin, configurationId)).toMatchObject({
    grant: { granted: null },
    idle: ['empty', 'env', 'logs'],
  })
  expect(await granted(configuration)).toEqual(all)
  expect(await allowedTools(admin, running)).toEqual(['fetch_logs', 'get_env'])

  await setAttachedSkillEnabled(admin, { ...logs, enabled: true })
  await setSkillEnabled(admin, { id: env.skillId, enabled: true })
  expect(await moveAttachedSkill(admin, { ...logs, direction: 'up' })).toBe(true)
  expect(await moveAttachedSkill(admin, { ...logs, direction: 'down' })).toBe(true)
  expect(await moveAttachedSkill(admin, { ...logs, direction: 'down' })).toBe(false)
  await moveAttachedSkill(admin, { ...logs, direction: 'up' })
  const inOrder = ['silent', 'empty', 'logs', 'env']
  const attached = await listConfigurationSkills(admin, configurationId)
  expect(attached.map(({ name }) => name)).toEqual(inOrder)
  const sent = await readConfiguration(db(), admin, configuration)
  expect(sent.skills.map(({ name }) => name)).toEqual(['silent', 'logs', 'env'])
  const { preview } = await configurationSkills(admin, configurationId)
  expect(preview.text.match(/skill="(\w+)"/g)).toEqual([
    'skill="silent"',
    'skill="logs"',
    'skill="env"',
  ])
})

test('the command line orders, switches and restores, and says where the last limit went', async () => {
  const { configuration } = await addRunSite('http://127.0.0.1:9')
  const { configurationId } = await readConfiguration(db(), admin, configuration)
  const skillId = await put('silent')
  await attachSkill(admin, { configurationId, skillId })
  await attachSkill(admin, { configurationId, skillId: await put('limit', lists('get_env')) })
  const skill = (...args: string[]) =>
    toolgate(['skill', ...args, '--as', admin.actor.email]).then(({ stdout }) => stdout)
  const here = ['--configuration', configuration]
  expect(await skill('move', 'limit', '--up', ...here)).toBe(
    `limit is now sent earlier in ${configuration}.\n`,
  )
  const sent = await readConfiguration(db(), admin, configuration)
  expect(sent.skills.map(({ name }) => name)).toEqual(['limit', 'silent'])
  expect(await skill('use', 'limit', '--off', ...here)).toBe(
    `limit is now off in ${configuration}.\nNo skill of ${configuration} declares allowed tools now: for new runs, only the other gates decide.\n`,
  )
  expect(await granted(configuration)).toContain('list_users')
  expect(JSON.parse(await skill('use', 'limit', '--on', ...here, '--json'))).toMatchObject({
    enabled: true,
    changed: true,
    limitGone: [],
  })
  expect(await granted(configuration)).toEqual(['get_env'])
  await put('limit', lists('get_env'), 'Other words.\n')
  expect(await skill('restore', 'limit', '1')).toBe('Restored version 1 of limit as version 3.\n')
  const unsaid = await toolgate(['skill', 'use', 'limit', ...here])
  expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining('--on or --off') })
})

test('members may do nothing of it, and nothing of it is written', async () => {
  const { configuration } = await addRunSite('http://127.0.0.1:9')
  const { configurationId } = await readConfiguration(db(), admin, configuration)
  const skillId = await put('one')
  const attachment = { configurationId, skillId }
  await db().auditEntry.deleteMany()
  const member = await addPerson('member')
  const files = await readSkillFiles(Buffer.from(skillText('two')))
  const attempts: (() => Promise<unknown>)[] = [
    () => importSkills(member, { source: 'paste', files, confirmed: null }),
    () => reloadSkillFolder(member, {}),
    () => acceptSkillChange(member, { id: skillId, checksum: '' }),
    () => restoreSkillVersion(member, { id: skillId, version: 1 }),
    () => setSkillEnabled(member, { id: skillId, enabled: false }),
    () => deleteSkill(member, { id: skillId }),
    () => attachSkill(member, attachment),
    () => detachSkill(member, attachment),
    () => setAttachedSkillEnabled(member, { ...attachment, enabled: false }),
    () => moveAttachedSkill(member, { ...attachment, direction: 'up' }),
    () => listSkills(member, {}),
    () => readSkill(member, { id: skillId }),
    () => findSkill(member, 'one'),
    () => listConfigurationSkills(member, configurationId),
    () => listSoleLimits(member, skillId),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow(ForbiddenError)
  expect(await auditedActions()).toEqual([])
  for (const missing of [randomUUID(), '../etc', "'; --"]) {
    await expect(readSkill(admin, { id: missing })).rejects.toThrow(NotFoundError)
    await expect(attachSkill(admin, { configurationId, skillId: missing })).rejects.toThrow(
      NotFoundError,
    )
  }
})

test('changes of one skill by two admins at once are both recorded, and the history has no gap', async () => {
  const id = await put('one')
  const texts = ['Left.\n', 'Right.\n'].map((body) => skillText('one', '', body))
  const request = await Promise.all(texts.map((text) => give(text)))
  const results = await Promise.allSettled(
    texts.map((text, index) => {
      const ask = request[index]
      return give(text, ask?.type === 'confirm' ? ask.fingerprint : null)
    }),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await readSkill(admin, { id })).history.map(({ version }) => version)).toEqual([2, 1])
  await Promise.all([false, true, false].map((enabled) => setSkillEnabled(admin, { id, enabled })))
  await expectNewestCounts()
})
