import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { updateConfiguration } from '@/lib/domains/configurations/verbs'
import { tasks } from '@/lib/domains/tasks/shape'
import { taskVerbs } from '@/lib/domains/tasks/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { StartRunInput } from '@/lib/runs/schemas'
import { startRun } from '@/lib/runs/start/start-run'
import { differencesOf } from '@/lib/shape/resource-differences'
import { applySite } from '@/lib/site-file/apply-site'
import { exportSite } from '@/lib/site-file/export-site'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { planSite } from '@/lib/site-file/plan-site'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { refusedFields } from '@/tests/support/refused-fields'
import { addRunSite, collect, type RunSite } from '@/tests/support/run-site'
import { snapshotOf } from '@/tests/support/task-fixture'
import { startTestEngine } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

const taskRoute = apiRoute('/tasks/{task}')
const tasksRoute = apiRoute('/tasks')

let server: ModelServer
let engine: Engine
let site: RunSite
let admin: Ctx
let configurationId: string
let answer = ''

/** Returns a schema in an order that the database would change. */
const schemaOf = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
})
const ofTask = schemaOf('zebra', 'a', 'mid')
const ofConfiguration = schemaOf('configured')
const ofRun = schemaOf('own')
const task = { identifier: 'sort', name: 'Sort', prompt: 'Sort it.' }

beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: answer }) })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
  admin = site.admin
  configurationId = (await readConfiguration(db(), admin, site.configuration)).configurationId
  await updateConfiguration(admin, {
    id: configurationId,
    version: 1,
    options: { outputSchema: ofConfiguration },
  })
})
afterAll(async () => {
  await engine.close()
  await server.close()
})
beforeEach(async () => {
  await db().task.deleteMany()
  await db().auditEntry.deleteMany()
})

/** Makes a run. Returns the system prompt of its first request, and how the run ended. */
async function run(wishes: Partial<StartRunInput>) {
  const before = server.requests.length
  const { runId } = await startRun(admin, wishes)
  const { end } = foldRun(await collect(admin, runId))
  return { runId, end, system: server.requests[before]?.system ?? '' }
}

test('the schema of the run counts, else that of its task, else that of the configuration', async () => {
  await taskVerbs.create(admin, { ...task, configurationId, outputSchema: ofTask })
  await taskVerbs.create(admin, { ...task, identifier: 'plain', configurationId })
  answer = '{"zebra":"z","a":"b","mid":"c"}'
  const byTask = await run({ task: 'sort' })
  expect(byTask.system).toContain(JSON.stringify(ofTask))
  expect(byTask.end).toMatchObject({ reason: 'completed', structured: JSON.parse(answer) })
  answer = '{"configured":"x"}'
  const byConfiguration = await run({ task: 'plain' })
  expect(byConfiguration.system).toContain(JSON.stringify(ofConfiguration))
  expect(byConfiguration.end).toMatchObject({ structured: { configured: 'x' } })
  answer = '{"own":"x"}'
  const own = await run({ task: 'sort', outputSchema: ofRun })
  expect(own.system).toContain(JSON.stringify(ofRun))
  expect(own.end).toMatchObject({ reason: 'completed', structured: { own: 'x' } })
  // An answer that fits the configuration alone does not fit the task.
  answer = '{"configured":"x"}'
  expect((await run({ task: 'sort' })).end?.reason).toBe('invalid-output')
})

test('is kept by versions, copies and runs, in the order in which it was written', async () => {
  const { id } = await taskVerbs.create(admin, { ...task, configurationId, outputSchema: ofTask })
  answer = '{"zebra":"z","a":"b","mid":"c"}'
  const { runId } = await run({ task: 'sort' })
  const sorted = schemaOf('a', 'mid', 'zebra')
  const form = { ...task, configurationId, outputSchema: sorted }
  expect(await taskVerbs.update(admin, { id, version: 1, ...form })).toEqual({
    version: 2,
    changed: true,
  })
  const kept = await snapshotOf(admin, runId)
  expect(JSON.stringify(kept.options?.outputSchema)).toBe(JSON.stringify(ofTask))

  const updated = await db().auditEntry.findFirstOrThrow({ where: { action: 'task.update' } })
  expect(updated).toMatchObject({
    before: { outputSchema: JSON.stringify(ofTask) },
    after: { outputSchema: JSON.stringify(sorted) },
  })
  await taskVerbs.restore(admin, { id, version: 1 })
  const versions = await taskVerbs.versions(admin, { id })
  expect(versions.map((each) => JSON.stringify(each.form.outputSchema))).toEqual(
    [ofTask, sorted, ofTask].map((schema) => JSON.stringify(schema)),
  )
  const [now, before] = versions
  if (!now || !before) throw new Error('Two versions were expected.')
  const [difference] = differencesOf(tasks, before.form, now.form)
  expect(difference).toEqual({
    field: 'outputSchema',
    label: 'Answer schema',
    before: JSON.stringify(sorted, null, 2),
    after: JSON.stringify(ofTask, null, 2),
  })
  const copy = await taskVerbs.clone(admin, { id, identifier: 'copy', name: 'Copy' })
  const copied = await taskVerbs.read(admin, { id: copy.id })
  expect(JSON.stringify(copied.outputSchema)).toBe(JSON.stringify(ofTask))
  const bad = taskVerbs.create(admin, {
    ...task,
    identifier: 'bad',
    outputSchema: { type: 'objekt' },
  })
  expect(Object.keys(await refusedFields(bad))).toEqual(['outputSchema'])
})

test('versions from before have none', async () => {
  const { id } = await taskVerbs.create(admin, { ...task, configurationId, outputSchema: ofTask })
  const old = { ...task, description: '', variables: [], configuration: null, skills: [] }
  const data = { ...old, costCapMicroUsd: null, costCapMode: 'warn' }
  await db().taskVersion.updateMany({ where: { taskId: id }, data: { data } })
  expect((await taskVerbs.versions(admin, { id }))[0]?.form.outputSchema).toBeNull()
  expect(await taskVerbs.restore(admin, { id, version: 1 })).toEqual({
    version: 2,
    changed: true,
  })
  expect((await taskVerbs.read(admin, { id })).outputSchema).toBeNull()
})

test('over HTTP it is a field of the task', async () => {
  const key = await apiKeyOf(admin, 'tasks:read', 'tasks:write')
  const post = (json: unknown) => ask(tasksRoute.POST, 'POST', '/api/v1/tasks', { key, json })
  expect((await post({ ...task, outputSchema: ofTask })).status).toBe(201)
  expect((await post({ ...task, identifier: 'text', outputSchema: '{}' })).status).toBe(422)
  const refused = await post({ ...task, identifier: 'bad', outputSchema: { type: 'objekt' } })
  expect(await refused.json()).toMatchObject({
    errors: { outputSchema: expect.stringContaining('Write one of string') },
  })
  const params = { task: 'sort' }
  const read = await ask(taskRoute.GET, 'GET', '/api/v1/tasks/sort', { key, params })
  expect(JSON.stringify((await read.json()).outputSchema)).toBe(JSON.stringify(ofTask))
})

test('in a terminal it is in the file that is shown, edited and run', async () => {
  const cli = (args: string[], input = '') =>
    toolgate(['task', ...args, '--as', admin.actor.email], {
      input,
      ...(args[0] === 'run' && { env: {} }),
    })
  const file = JSON.stringify({ ...task, configuration: site.configuration, outputSchema: ofTask })
  expect((await cli(['add', '-'], file)).code).toBe(0)
  const { stdout } = await cli(['show', 'sort'])
  expect(stdout.indexOf('zebra:')).toBeGreaterThan(0)
  expect(stdout.indexOf('zebra:')).toBeLessThan(stdout.indexOf('mid:'))
  const edited = await cli(['edit', 'sort', '-'], stdout.replaceAll('zebra', 'last'))
  expect(edited.stdout).toMatch(/Answer schema:[\s\S]*-.*"zebra"[\s\S]*\+.*"last"/)
  answer = '{"last":"1","a":"2","mid":"3"}'
  const ran = await cli(['run', 'sort'])
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining(`structured: {`)])
})

test('a site file carries it', async () => {
  await taskVerbs.create(admin, { ...task, configurationId, outputSchema: ofTask })
  const exported = parseSiteFile(await exportSite(admin))
  expect(JSON.stringify(exported.tasks[0]?.outputSchema)).toBe(JSON.stringify(ofTask))
  expect((await planSite(admin, exported)).steps).toEqual([])
  const fileOf = (outputSchema: object | null) =>
    parseSiteFile(JSON.stringify({ toolgate: 2, tasks: [{ identifier: 'sort', outputSchema }] }))
  expect((await planSite(admin, fileOf(ofTask))).steps).toEqual([])
  await applySite(admin, fileOf(ofRun), { reason: 'From the repository' })
  const stored = async () => (await taskVerbs.read(admin, { id: 'sort' })).outputSchema
  expect(await stored()).toEqual(ofRun)
  await applySite(admin, fileOf(null), { reason: 'From the repository' })
  expect(await stored()).toBeNull()
})
