import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { findSkill } from '@/lib/domains/skills/reads'
import { readSkillFiles } from '@/lib/domains/skills/skill-archive'
import {
  acceptSkill,
  addSkill,
  addTask,
  bringSkills,
  editTask,
  restoreSkill,
  switchAddedSkill,
  turnSkill,
} from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { configurationSkills } from '@/lib/toolset/policy/configuration-skills'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { taskSkills } from '@/lib/toolset/policy/task-skills'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite } from '@/tests/support/run-site'
import { lists, skillText } from '@/tests/support/skills'
import { toolgate } from '@/tests/support/toolgate-process'

const attachmentRoute = apiRoute('/skills/{id}/configurations/{configuration}')
const skillsRoute = apiRoute('/skills')
const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-tools-left-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

let admin: Ctx
let configuration: string
let configurationId: string
let name: string
/** Number of tools that its runs are offered without skills. */
let without: number

beforeAll(async () => {
  admin = await addPerson('admin')
  configuration = (await addRunSite('http://127.0.0.1:9')).configuration
  const snapshot = await readConfiguration(db(), admin, configuration)
  configurationId = snapshot.configurationId
  name = snapshot.configurationName
  const tools = await explainTools(admin, { userId: null, configuration, selected: null })
  without = tools.filter(({ verdict }) => verdict.allowed).length
  expect(without).toBeGreaterThan(2)
})
beforeEach(async () => {
  await db().configurationSkill.deleteMany()
  await db().taskSkill.deleteMany()
  await db().skill.deleteMany()
})

const foreign = 'Read, Bash(git add *)'

async function bring(text: string, confirmed: string | null = null) {
  const files = await readSkillFiles(Buffer.from(text))
  return bringSkills(admin, { source: 'paste', files, confirmed })
}

async function put(skill: string, tools?: string): Promise<string> {
  const text = skillText(skill, tools === undefined ? '' : lists(tools))
  const first = await bring(text)
  if (first.type === 'confirm') await bring(text, first.fingerprint)
  return (await findSkill(admin, skill)).id
}

test('attaching says how many tools remain, and asks before none does', async () => {
  const open = await put('open')
  const two = await put('two', 'get_env, fetch_logs, Read')
  const none = await put('none', foreign)
  const add = (skillId: string, more = {}) => addSkill(admin, { configurationId, skillId, ...more })
  expect((await add(open)).tools).toEqual({ name, left: without, without })
  await expect(add(none)).rejects.toThrow(
    `The skill none would leave no tool: None of ${without} tools remain for ${name}.`,
  )
  await expect(add(none)).rejects.toThrow(ConflictError)
  expect((await configurationSkills(admin, configurationId)).skills).toHaveLength(1)
  // Its place without effect needs no question.
  expect((await add(none, { enabled: false })).tools.left).toBe(without)
  const on = { configurationId, skillId: none, enabled: true }
  await expect(switchAddedSkill(admin, on)).rejects.toThrow('None of')
  expect(await switchAddedSkill(admin, { ...on, confirmed: true })).toMatchObject({
    changed: true,
    tools: { left: 0, without },
  })
  expect((await configurationSkills(admin, configurationId)).tools.left).toBe(0)
  // A list beside it only adds.
  expect((await add(two)).tools).toEqual({ name, left: 2, without })
  expect((await configurationSkills(admin, configurationId)).tools.left).toBe(2)
})

test('explain names the skill that narrows', async () => {
  await addSkill(admin, { configurationId, skillId: await put('open') })
  await addSkill(admin, { configurationId, skillId: await put('env-only', 'get_env') })
  const request = ['tools', 'explain', '--as', admin.actor.email, '--configuration', configuration]
  const { stdout } = await toolgate([...request, '--json'])
  const logs = JSON.parse(stdout).find((tool: { name: string }) => tool.name === 'fetch_logs')
  expect(logs).toMatchObject({
    gate: 'skills',
    reason: `The skills of ${name} do not list it under allowed-tools. The limit comes from env-only.`,
  })
})

test('a task says it too, together with the skills of its configuration', async () => {
  const none = await put('none', foreign)
  const env = await put('env', 'get_env')
  const draft = { identifier: 'left', name: 'Left', prompt: 'x', configurationId }
  const skills = [{ id: none }]
  await expect(addTask(admin, { ...draft, skills })).rejects.toThrow(
    `The skills of the task would leave no tool: None of ${without} tools remain for ${name}.`,
  )
  const { id, tools } = await addTask(admin, { ...draft, skills: [{ id: env }] })
  expect(tools).toEqual({ name, left: 1, without })
  const change = { ...draft, id, version: 1, skills }
  await expect(editTask(admin, change)).rejects.toThrow(ConflictError)
  expect(await editTask(admin, { ...change, confirmed: true })).toMatchObject({
    changed: true,
    tools: { left: 0 },
  })
  expect((await taskSkills(admin, id)).tools).toEqual({ name, left: 0, without })
})

test('importing says it for every place that uses the skill, and asks before one has none', async () => {
  const fine = await bring(skillText('logs', lists('fetch_logs')))
  expect(fine).toMatchObject({
    type: 'done',
    effects: [{ skill: 'logs', none: false, tools: [{ name: null, left: 1 }] }],
  })
  const text = skillText('foreign', lists(foreign))
  const request = await bring(text)
  if (request.type !== 'confirm') throw new Error('It was not asked.')
  expect(request).toMatchObject({ changes: [], effects: [{ none: true, tools: [{ left: 0 }] }] })
  await expect(findSkill(admin, 'foreign')).rejects.toThrow('does not exist')
  expect(await bring(text, request.fingerprint)).toMatchObject({
    type: 'done',
    added: [{ name: 'foreign' }],
  })
  const { id } = await findSkill(admin, 'logs')
  await addSkill(admin, { configurationId, skillId: id })
  expect(await bring(skillText('logs', lists(foreign)))).toMatchObject({
    type: 'confirm',
    changes: [{ name: 'logs' }],
    effects: [{ none: true, tools: [{ name, left: 0, without }] }],
  })
})

test('switching on everywhere, restoring and accepting ask before a place that uses it has no tool', async () => {
  const id = await put('changing', foreign)
  await put('changing', 'get_env')
  await addSkill(admin, { configurationId, skillId: id })
  const words = `The skill changing would leave no tool: None of ${without} tools remain for ${name}.`
  await expect(restoreSkill(admin, { id, version: 1 })).rejects.toThrow(words)
  await turnSkill(admin, { id, enabled: false })
  // The skill limits nothing while it is off.
  expect(await restoreSkill(admin, { id, version: 1 })).toMatchObject({ version: 3 })
  await expect(turnSkill(admin, { id, enabled: true })).rejects.toThrow(words)
  expect(await turnSkill(admin, { id, enabled: true, confirmed: true })).toMatchObject({
    changed: true,
  })
  await restoreSkill(admin, { id, version: 2 })
  const checksum = 'a'.repeat(64)
  const waiting = { frontMatter: {}, body: '', bytes: 1, checksum, createdByLabel: 'the folder' }
  await db().skillVersion.create({
    data: { skillId: id, version: 5, allowedTools: ['Read'], ...waiting },
  })
  await db().skill.update({ where: { id }, data: { pendingVersion: 5 } })
  await expect(acceptSkill(admin, { id, checksum })).rejects.toThrow(words)
  expect(await acceptSkill(admin, { id, checksum, confirmed: true })).toMatchObject({ version: 5 })
  const enable = await toolgate(['skill', 'disable', 'changing'])
  expect(enable.code).toBe(0)
  expect((await toolgate(['skill', 'enable', 'changing'])).stderr).toContain('Add --yes')
  expect((await toolgate(['skill', 'enable', 'changing', '--yes'])).code).toBe(0)
})

test('the command line asks with --yes', async () => {
  const file = path.join(folder, 'SKILL.md')
  await writeFile(file, skillText('foreign', lists(foreign)))
  const refused = await toolgate(['skill', 'add', file])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /foreign: None of \d+ tools remain where no other skill lists tools\. Add --yes/,
  )
  const added = await toolgate(['skill', 'add', file, '--yes'])
  expect(added.stdout).toMatch(
    /^Added foreign\.\nforeign: None of \d+ tools remain where no other skill lists tools\.\n$/,
  )
  const attach = ['skill', 'attach', 'foreign', '--configuration', configuration]
  const request = await toolgate(attach)
  expect(request).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add --yes to do that.'),
  })
  expect(await toolgate([...attach, '--yes'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`None of ${without} tools remain for ${name}.\n`),
  })
})

test('the API asks with a field', async () => {
  const key = await apiKeyOf(admin, 'skills:read', 'skills:write')
  const text = skillText('foreign', lists(foreign))
  const post = (json: unknown) => ask(skillsRoute.POST, 'POST', '/api/v1/skills', { key, json })
  const first = await (await post({ text })).json()
  expect(first).toMatchObject({ type: 'confirm', effects: [{ none: true }] })
  expect((await post({ text, confirmed: first.fingerprint })).status).toBe(201)
  const params = { id: 'foreign', configuration }
  const put = (json: unknown) =>
    ask(attachmentRoute.PUT, 'PUT', '/api/v1/skills/foreign', { key, params, json })
  const refused = await put({})
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    errors: { confirmed: expect.stringContaining('would leave no tool') },
  })
  expect(await (await put({ confirmed: true })).json()).toMatchObject({
    changed: true,
    tools: { name, left: 0, without },
  })
})
