import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allowGroup } from '@/lib/domains/configurations/policy-verbs'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { addGroupMember, groupVerbs } from '@/lib/domains/groups/verbs'
import { attachSkill } from '@/lib/domains/skills/attachments'
import { listSkills } from '@/lib/domains/skills/reads'
import { deleteSkill } from '@/lib/domains/skills/verbs'
import { listTaskNames } from '@/lib/domains/tasks/reads'
import type { TaskInput } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import { listRunnableTasks, readRunnableTask } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { uploadFile } from '@/lib/runs/files/upload-file'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { readRun } from '@/lib/runs/read-run'
import { startRun } from '@/lib/runs/start/start-run'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { taskSkills } from '@/lib/toolset/policy/task-skills'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { addRunSite, type RunSite } from '@/tests/support/run-site'
import { auditedActions, lists } from '@/tests/support/skills'
import {
  allowedTools,
  greet,
  pasteSkill,
  setTaskSkills,
  snapshotOf,
} from '@/tests/support/task-fixture'
import { toolgate } from '@/tests/support/toolgate-process'

let server: ModelServer
let site: RunSite
let admin: Ctx
let configurationId: string

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
  admin = site.admin
  configurationId = (await readConfiguration(db(), admin, site.configuration)).configurationId
})
afterAll(() => server.close())

beforeEach(async () => {
  await db().run.deleteMany()
  await db().task.deleteMany()
  await db().skill.deleteMany()
  await db().auditEntry.deleteMany()
})

async function add(more: Partial<TaskInput> = {}): Promise<string> {
  return (await taskVerbs.create(admin, { ...greet, configurationId, ...more })).id
}

test('every change is a version that can be compared and brought back, and is audited', async () => {
  const id = await add()
  await expect(add()).rejects.toThrow(ConflictError)
  const form = { ...greet, configurationId, name: 'Greeting', costCapMicroUsd: 5_000 }
  await expect(
    taskVerbs.update(admin, { id, version: 1, ...form, prompt: '{{whom}}' }),
  ).rejects.toThrow('The prompt uses {{whom}}, which no variable defines.')
  const saved = await taskVerbs.update(admin, { id, version: 1, reason: 'Nicer.', ...form })
  expect(saved).toEqual({ version: 2, changed: true })
  const again = await taskVerbs.update(admin, { id, version: 2, ...form })
  expect(again).toEqual({ version: 2, changed: false })
  await expect(taskVerbs.update(admin, { id, version: 1, ...greet })).rejects.toThrow(
    'it is at version 2, you opened version 1',
  )
  const restored = await taskVerbs.restore(admin, { id, version: 1 })
  expect(restored).toEqual({ version: 3, changed: true })
  await expect(taskVerbs.restore(admin, { id, version: 9 })).rejects.toThrow(NotFoundError)
  const versions = await taskVerbs.versions(admin, { id })
  expect(versions.map(({ version, form: { name }, note }) => [version, name, note])).toEqual([
    [3, 'Greet', 'Version 1 was restored.'],
    [2, 'Greeting', 'Nicer.'],
    [1, 'Greet', ''],
  ])
  expect(versions[0]?.form).toEqual(versions[2]?.form)

  const copy = await taskVerbs.clone(admin, { id, identifier: 'copy', name: 'Copy' })
  expect(await taskVerbs.read(admin, { id: 'copy' })).toMatchObject({
    id: copy.id,
    prompt: greet.prompt,
    name: 'Copy',
  })
  await expect(taskVerbs.update(admin, { id, enabled: false })).rejects.toThrow(ValidationError)
  const turnOff = () => taskVerbs.update(admin, { id, enabled: false, reason: 'Old.' })
  expect(await turnOff()).toEqual({ version: 3, changed: true })
  expect(await turnOff()).toEqual({ version: 3, changed: false })
  const filter = { page: 1, pageSize: 10, sort: '-name' } as const
  const off = await taskVerbs.page(admin, { ...filter, state: 'off', search: 'GREET' })
  expect(off).toMatchObject({ total: 1, rows: [{ id, enabled: false, version: 3 }] })
  expect(off.rows[0]?.variables).toHaveLength(2)
  expect(await listTaskNames(admin)).toMatchObject([{ id: copy.id }, { id, enabled: false }])
  await taskVerbs.remove(admin, { id: copy.id })
  expect(await taskVerbs.page(admin, filter)).toMatchObject({ total: 1 })
  expect(await auditedActions()).toEqual([
    'task.create',
    'task.update',
    'task.restore',
    'task.create',
    'task.switch-off',
    'task.delete',
  ])
})

test('only admins change tasks; members run what they could run with a prompt of their own', async () => {
  const member = await addPerson('member')
  const [theirs, anyones, others] = await Promise.all([
    add({ identifier: 'theirs' }),
    add({ identifier: 'anyones', configurationId: null }),
    addRunSite(server.url).then(async (other) => {
      const { configurationId: id } = await readConfiguration(db(), admin, other.configuration)
      return add({ identifier: 'others', configurationId: id })
    }),
  ])
  const verbs = [
    () => taskVerbs.create(member, greet),
    () => listTaskNames(member),
    () => taskVerbs.update(member, { id: theirs, version: 1, ...greet }),
    () => taskVerbs.clone(member, { id: theirs, identifier: 'x', name: 'x' }),
    () => taskVerbs.update(member, { id: theirs, enabled: false, reason: 'x' }),
    () => taskVerbs.restore(member, { id: theirs, version: 1 }),
    () => taskVerbs.remove(member, { id: theirs }),
    () => taskVerbs.read(member, { id: theirs }),
  ]
  for (const verb of verbs) await expect(verb()).rejects.toThrow(ForbiddenError)

  const names = async () =>
    (await listRunnableTasks(member, {})).map(({ identifier }) => identifier)
  expect(await names()).toEqual(['anyones'])
  const group = await groupVerbs.create(admin, { name: `Greeters ${theirs}` })
  await addGroupMember(admin, { groupId: group.id, userId: member.actor.userId })
  await allowGroup(admin, { configurationId, groupId: group.id, allowed: true })
  expect((await names()).sort()).toEqual(['anyones', 'theirs'])
  await expect(readRunnableTask(member, { task: others })).rejects.toThrow(NotFoundError)
  const variables = { who: 'Ada' }
  await expect(startRun(member, { task: 'others', variables })).rejects.toThrow(NotFoundError)
  await expect(startRun(member, { task: 'anyones', variables })).rejects.toThrow('Pick one.')
  const { runId } = await startRun(member, {
    task: anyones,
    configuration: site.configuration,
    variables,
  })
  expect(await readRun(member, runId)).toMatchObject({ taskId: anyones, configurationId })
  await taskVerbs.update(admin, { id: theirs, enabled: false, reason: 'Old.' })
  expect(await names()).toEqual(['anyones'])
  await expect(startRun(admin, { task: theirs, variables })).rejects.toThrow(NotFoundError)
})

test('a run keeps the task, its values and its cap, and puts each value in once', async () => {
  const id = await add({ costCapMicroUsd: 5_000, costCapMode: 'enforce' })
  const ran = await startRun(admin, { task: 'greet', variables: { who: '{{tone}} $& Ada' } })
  const run = await readRun(admin, ran.runId)
  expect(run).toMatchObject({
    prompt: 'Greet {{tone}} $& Ada in dry words, {{so}}.',
    taskId: id,
    variables: { who: '{{tone}} $& Ada', tone: 'dry' },
  })
  expect(await snapshotOf(admin, ran.runId)).toMatchObject({
    task: { taskId: id, identifier: 'greet', name: 'Greet', version: 1 },
    costCaps: [{ scope: 'task', mode: 'enforce', limitMicroUsd: 5_000 }],
  })
  const wrong = startRun(admin, { task: 'greet', variables: { tone: 'loud', x: 'y' } })
  await expect(wrong).rejects.toMatchObject({
    fields: {
      'variables.who': 'Enter a value.',
      'variables.tone': 'One of: dry, warm.',
      'variables.x': expect.stringContaining('has no variable "x"'),
    },
  })
  for (const request of [
    { task: 'greet', prompt: 'Mine.', variables: { who: 'a' } },
    { configuration: site.configuration, prompt: 'Mine.', variables: { who: 'a' } },
    { configuration: site.configuration },
  ]) {
    await expect(startRun(admin, request)).rejects.toThrow(ValidationError)
  }
  const [started] = await db().auditEntry.findMany({ where: { action: 'run.start' } })
  expect(started?.after).toMatchObject({ task: 'greet' })
  expect(JSON.stringify(started)).not.toContain('Ada')

  const filter = { page: 1, pageSize: 10, sort: '-started' } as const
  expect(await listRuns(admin, { ...filter, task: id })).toMatchObject({
    total: 1,
    rows: [{ task: { id, name: 'Greet' } }],
  })
  await taskVerbs.remove(admin, { id })
  expect(await listRuns(admin, filter)).toMatchObject({ total: 1, rows: [{ task: null }] })
})

test('G-S: skills of the configuration, then of the task; explained as they are decided; only narrowed', async () => {
  const [env, logs, users] = [
    await pasteSkill(admin, 'env', lists('get_env')),
    await pasteSkill(admin, 'logs', lists('fetch_logs')),
    await pasteSkill(admin, 'users', lists('list_users')),
  ]
  const taskId = await add()
  await attachSkill(admin, { configurationId, skillId: env })
  const set = (skills: TaskInput['skills']) => setTaskSkills(admin, taskId, skills)
  const attached = [{ id: users }, { id: env }, { id: logs }]
  expect(await set(attached)).toEqual({ version: 2, changed: true })
  expect(await set(attached)).toEqual({ version: 2, changed: false })
  const off = { id: users, enabled: false }
  await set([off, { id: env }, { id: logs }])
  expect(await set([off, { id: logs }, { id: env }])).toEqual({ version: 4, changed: true })
  expect(await taskSkills(admin, taskId)).toMatchObject({
    names: ['env', 'logs'],
    grant: { granted: ['fetch_logs', 'get_env'], unknown: [] },
  })
  expect((await listSkills(admin, {})).find(({ id }) => id === users)?.tasks).toMatchObject([
    { id: taskId },
  ])
  await expect(deleteSkill(admin, { id: users })).rejects.toThrow('users is used by task Greet.')

  const { runId } = await startRun(admin, { task: 'greet', variables: { who: 'Ada' } })
  const snapshot = await snapshotOf(admin, runId)
  expect(snapshot.skills.map(({ name }) => name)).toEqual(['env', 'logs'])
  const question = { userId: null, configuration: null, task: 'greet', selected: null }
  const explained = await explainTools(admin, question)
  const { events } = await readRun(admin, runId)
  const start = events[0]?.type === 'run-start' ? events[0].data : null
  const offered = explained.filter(({ verdict }) => verdict.allowed).map(({ name }) => name)
  expect(offered.sort()).toEqual(start?.accepted.map(({ name }) => name).sort())
  for (const { name, gate, reason } of start?.rejected ?? []) {
    const verdict = explained.find((tool) => tool.name === name)?.verdict
    expect(verdict).toMatchObject({ allowed: false, gate, reason })
  }

  expect(await allowedTools(admin, snapshot)).toEqual(['fetch_logs', 'get_env'])
  await set([{ id: users }, { id: logs }, { id: env }])
  expect(await allowedTools(admin, snapshot)).toEqual(['fetch_logs', 'get_env'])
  await set([{ id: users }, { id: env }])
  expect(await allowedTools(admin, snapshot)).toEqual(['get_env'])
  const versions = await taskVerbs.versions(admin, { id: taskId })
  await taskVerbs.restore(admin, { id: taskId, version: (versions[0]?.version ?? 0) - 1 })
  expect(await allowedTools(admin, snapshot)).toEqual(['fetch_logs', 'get_env'])
  await taskVerbs.remove(admin, { id: taskId })
  expect(await allowedTools(admin, snapshot)).toEqual(['get_env'])
})

test('the API lists, reads, adds and runs tasks', async () => {
  await pasteSkill(admin, 'polite')
  const key = await apiKeyOf(admin, 'tasks:read', 'tasks:write', 'runs:write')
  const post = (json: unknown) => askApi('POST', '/tasks', { key, json })
  const { configurationId: _, ...facts } = { configurationId, ...greet }
  const task = { task: 'greet' }
  const json = { ...facts, configuration: site.configuration, skills: ['polite'] }
  const made = await post(json)
  expect(made.status).toBe(201)
  const { id } = await made.json()
  expect((await post({ ...json, identifier: 'b', skills: ['rude'] })).status).toBe(422)
  expect((await post({ ...json, identifier: 'b', promt: '' })).status).toBe(422)
  const listed = await askApi('GET', '/tasks', { key })
  expect(await listed.json()).toMatchObject({ tasks: [{ id, identifier: 'greet' }] })
  const read = await askApi('GET', '/tasks/greet', { key })
  expect(await read.json()).toMatchObject({ id, variables: [{ name: 'who' }, { name: 'tone' }] })
  const run = (wish: object) => askApi('POST', '/runs', { key, json: wish })
  const file = await uploadFile(admin, {
    name: 'a',
    pieces: [new Uint8Array(Buffer.from('x'))],
    dataClass: null,
  })
  const values = { variables: { who: 'Ada', tone: 'warm' }, files: [{ id: file.id }] }
  const { runId } = await (await run({ ...task, ...values })).json()
  expect(await db().runFile.findMany({ where: { runId } })).toMatchObject([{ fileId: file.id }])
  expect((await snapshotOf(admin, runId)).skills.map(({ name }) => name)).toEqual(['polite'])
  const missing = await run({ ...task, variables: {} })
  expect(await missing.json()).toMatchObject({ errors: { 'variables.who': 'Enter a value.' } })
})

test('the command line adds, runs, edits and restores tasks', async () => {
  const cli = async (args: string[], input = '') => {
    // A run holds more than a connection, so it gets a process of its own.
    const own = args[0] === 'run' ? { env: {} } : {}
    const all = ['task', ...args, '--as', admin.actor.email]
    const { code, stdout, stderr } = await toolgate(all, { input, ...own })
    expect({ args, stderr }).toEqual({ args, stderr: '' })
    return { code, stdout }
  }
  const document = `identifier: say\nname: Say\nconfiguration: ${site.configuration}\nprompt: '[[say: {{word}}]]'\nvariables:\n  - name: word\n    label: Word\n`
  await cli(['add', '-'], document)
  const shown = (await cli(['show', 'say'])).stdout
  expect(shown).toContain('prompt: "[[say: {{word}}]]"')
  const file = ['--file', `${process.cwd()}/LICENSE`, '--data-class', 'source-code']
  const ran = await cli(['run', 'say', '--var', 'word=a=b', ...file, '--json'])
  expect(ran.code).toBe(0)
  expect(ran.stdout).toMatch(/"name":"LICENSE","type":"text\/plain".*"dataClass":"source-code"/)
  expect(ran.stdout).toContain('"prompt":"[[say: a=b]]"')
  const edited = await cli(['edit', 'say', '-', '--note', 'Shorter.'], shown.replace('Say', 'S'))
  expect(edited.stdout).toMatch(/- Say[\s\S]*\+ S[\s\S]*version 2/)
  expect((await cli(['restore', 'say', '1'])).stdout).toContain('as version 3')
})
