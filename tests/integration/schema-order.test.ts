import { afterAll, beforeAll, expect, test } from 'vitest'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { readConfiguration } from '@/lib/domains/configurations/run-snapshot'
import { cloneConfiguration } from '@/lib/domains/configurations/verbs'
import {
  listConfigurationVersions,
  restoreConfigurationVersion,
} from '@/lib/domains/configurations/version-verbs'
import { updateModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { compareSite } from '@/lib/site-file/plan-site'
import { addLocalModel } from '@/tests/support/add-local-model'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { tag } from '@/tests/support/configuration-fixture'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const one = apiRoute('/configurations/{name}')
const all = apiRoute('/configurations')

let admin: Ctx
let key: string
let server: ModelServer
let engine: Engine
let modelId: string

/** Returns a schema in an order that the database would change, because it sorts property names by length. */
const schemaOf = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
})
const answer = JSON.stringify({ zebra: '1', a: '2', mid: '3' })
const written = schemaOf('zebra', 'a', 'mid')
const text = JSON.stringify(written)

beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: answer }) })
  admin = await addPerson('admin')
  key = await apiKeyOf(admin, 'configurations:read', 'configurations:write')
  engine = await startTestEngine()
  modelId = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: `Order ${tag()}`,
    url: server.url,
  })
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function post(outputSchema: object = written): Promise<string> {
  const identifier = `order-${tag()}`
  const json = { identifier, name: identifier, modelId, options: { outputSchema } }
  const added = await ask(all.POST, 'POST', '/api/v1/configurations', { key, json })
  expect(JSON.stringify((await added.json()).options.outputSchema)).toBe(
    JSON.stringify(outputSchema),
  )
  return identifier
}

async function run(configuration: string) {
  const prompt = `Prompt ${tag()}`
  const { runId } = await start({ admin, configuration }, prompt, { tools: [] })
  await collect(admin, runId)
  const [sent] = server.requests.filter((request) => request.prompt === prompt)
  return { runId, sent }
}

test('properties reach the model in the order in which their author wrote them', async () => {
  const configuration = await post()
  const { runId, sent } = await run(configuration)
  expect(sent?.system).toContain(text)
  const [first] = (await readRun(admin, runId)).events
  if (first?.type !== 'run-start') throw new Error('The run has no beginning.')
  expect(JSON.stringify(first.data.snapshot.options?.outputSchema)).toBe(text)

  await updateModel(admin, { id: modelId, structuredOutput: true })
  const native = await run(configuration)
  await updateModel(admin, { id: modelId, structuredOutput: null })
  expect(native.sent?.body).toHaveProperty('response_format.json_schema.schema')
  expect(JSON.stringify(native.sent?.body)).toContain(`"schema":${text}`)
})

test('another order is another version, in the history, in copies and in the audit', async () => {
  const configuration = await post()
  const { id } = await findConfiguration(admin, configuration)
  const sorted = schemaOf('a', 'mid', 'zebra')
  const changed = await ask(one.PATCH, 'PATCH', `/api/v1/configurations/${configuration}`, {
    key,
    params: { name: configuration },
    json: { version: 1, options: { outputSchema: sorted } },
  })
  expect(await changed.json()).toMatchObject({ version: 2 })
  const audited = await db().auditEntry.findFirstOrThrow({
    where: { action: 'configuration.update', objectId: id },
  })
  expect(audited).toMatchObject({
    before: { outputSchema: text },
    after: { outputSchema: JSON.stringify(sorted) },
  })
  await restoreConfigurationVersion(admin, { id, restored: 1, version: 2 })
  const { versions } = await listConfigurationVersions(admin, id)
  expect(versions.map(({ form }) => JSON.stringify(form.options.outputSchema))).toEqual([
    text,
    JSON.stringify(sorted),
    text,
  ])
  const copy = await cloneConfiguration(admin, { id, identifier: `c-${tag()}`, name: 'Copy' })
  const { options } = await readConfiguration(db(), admin, copy.id)
  expect(JSON.stringify(options?.outputSchema)).toBe(text)
})

test('a site file with another order is a change', async () => {
  const identifier = await post()
  const fileOf = (outputSchema: object) =>
    parseSiteFile(JSON.stringify({ toolgate: 2, configurations: [{ identifier, outputSchema }] }))
  const planOf = async (outputSchema: object) =>
    (await compareSite(admin, fileOf(outputSchema))).plan
  expect((await planOf(written)).steps).toEqual([])
  const [step] = (await planOf(schemaOf('a', 'mid', 'zebra'))).steps
  expect(step?.changes.map(({ field }) => field)).toEqual(['outputSchema'])
})

test('schemas that were stored as objects are read as before', async () => {
  const identifier = await post()
  const { id } = await findConfiguration(admin, identifier)
  await db().configuration.update({
    where: { id },
    data: { parameters: { outputSchema: written } },
  })
  await db().configurationVersion.updateMany({
    where: { configurationId: id },
    data: { data: await formWithObject(id) },
  })
  const { options } = await readConfiguration(db(), admin, identifier)
  expect(options?.outputSchema).toEqual(written)
  const { versions } = await listConfigurationVersions(admin, id)
  expect(versions[0]?.form.options.outputSchema).toEqual(written)

  const { runId } = await run(identifier)
  const where = { runId_seq: { runId, seq: 1 } }
  const row = await db().runEventRow.findUniqueOrThrow({ where })
  await db().runEventRow.update({ where, data: { data: withObject(row.data) } })
  const [first] = (await readRun(admin, runId)).events
  expect(first).toMatchObject({ data: { snapshot: { options: { outputSchema: written } } } })
})

async function formWithObject(configurationId: string) {
  const { data } = await db().configurationVersion.findFirstOrThrow({ where: { configurationId } })
  return withObject(data)
}

/** Returns the stored JSON with its schema as an object. */
function withObject(data: unknown) {
  return JSON.parse(JSON.stringify(data).replace(JSON.stringify(text), text))
}
