import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { updateModel } from '@/lib/domains/models/verbs'
import { runSummary } from '@/lib/doors/api/run-summary'
import type { Ctx } from '@/lib/kernel/context'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
import { addLocalModel } from '@/tests/support/add-local-model'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { refusedFields } from '@/tests/support/refused-fields'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'
import { toolgate } from '@/tests/support/toolgate-process'

let admin: Ctx
let engine: Engine
let server: ModelServer
let modelId: string
let configuration: string

const outputSchema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}

beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  server = await startModelServer({ script: turnOfPrompt })
  admin = await addPerson('admin')
  engine = await startTestEngine()
  const connectionName = `Structured ${randomUUID().slice(0, 8)}`
  modelId = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName,
    url: server.url,
  })
  configuration = await add({ outputSchema })
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function add(options: object): Promise<string> {
  const identifier = `c-${randomUUID().slice(0, 8)}`
  await createConfiguration(admin, { identifier, name: identifier, modelId, options })
  return identifier
}

async function run(prompt: string, wishes: Parameters<typeof start>[2] = {}) {
  const { runId } = await start({ admin, configuration }, prompt, wishes)
  const state = foldRun(await collect(admin, runId))
  return { runId, state, sent: server.requests.filter((request) => request.prompt === prompt) }
}

test('an answer that fits is in the end of the run as JSON, after the tools', async () => {
  const { state, sent } = await run('[[call read_note {"text":"42"}]] [[then]] [[say: {"n":42}]]')
  expect(state.end).toMatchObject({ reason: 'completed', structured: { n: 42 } })
  expect(sent).toHaveLength(2)
  expect(sent[0]?.system).toContain('JSON Schema')
  expect(sent[0]?.body).not.toHaveProperty('response_format')
})

test('one that does not is repaired once, with the schema where the model can hold it', async () => {
  await updateModel(admin, { id: modelId, structuredOutput: true })
  const { state, sent } = await run(
    '[[call read_note {"text":"7"}]] [[then]] [[say: seven]] [[then]] [[say: {"n":7}]]',
  )
  await updateModel(admin, { id: modelId, structuredOutput: null })
  expect(state.end).toMatchObject({ reason: 'completed', structured: { n: 7 } })
  expect(sent.map(({ body }) => Object.hasOwn(body, 'response_format'))).toEqual([
    false,
    false,
    true,
  ])
  expect(sent[2]?.results.at(-1)).toContain('not one JSON value')
})

test('after that the run ends as invalid-output, with the errors and the text', async () => {
  const { state } = await run('[[say: {"n":"x"}]] [[then]] [[say: {"n":null}]]')
  expect(state.end?.reason).toBe('invalid-output')
  expect(state.end?.message).toContain('n: expected integer, got null')
  expect(state.rounds[1]?.text).toBe('{"n":null}')
})

test('a run may have a schema of its own, and the API shows the value', async () => {
  const own = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const { runId, state } = await run('[[say: {"city":"Ulm"}]]', { outputSchema: own })
  expect(state.end).toMatchObject({ reason: 'completed', structured: { city: 'Ulm' } })
  expect(runSummary(await readRun(admin, runId), 'admin')).toMatchObject({
    structured: { city: 'Ulm' },
    outputErrors: [],
  })
  const bad = start({ admin, configuration }, 'Hi', { outputSchema: { type: 'objekt' } })
  expect(JSON.stringify(await refusedFields(bad))).toContain('Write one of string')
})

test('the terminal takes a schema as text or file, and prints the value', async () => {
  const prompt = '[[say: {"n":3}]]'
  const given = ['run', '--configuration', configuration, '--prompt', prompt, '--output-schema']
  const { stdout, code } = await toolgate([...given, JSON.stringify(outputSchema)])
  expect(code).toBe(0)
  expect(stdout).toContain('structured: {"n":3}')
  const bad = await toolgate([...given, '{"type":"objekt"}'])
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Write one of string')])
})

test('a character that no database holds costs nothing', async () => {
  configuration = await add({ outputSchema: { type: 'object', additionalProperties: true } })
  const { state } = await run('[[say: {"a\\u0000":"b\\u0000c\\ud800"}]]')
  expect(state.end).toMatchObject({ reason: 'completed', structured: { a: 'bc\ufffd' } })
})

test('a stored schema that cannot be checked any more refuses the start', async () => {
  const identifier = await add({})
  const schema = JSON.stringify({ type: 'string', pattern: '(?<=a)b' })
  await db().configuration.updateMany({
    where: { identifier },
    data: { parameters: { outputSchema: schema } },
  })
  const fields = await refusedFields(start({ admin, configuration: identifier }, 'Hi'))
  expect(fields.outputSchema).toContain('it looks ahead or behind')
})

test('a schema that cannot be checked is refused with what is wrong', async () => {
  const fields = await refusedFields(add({ outputSchema: { type: 'objekt' } }))
  expect(JSON.stringify(fields)).toContain('Write one of string')
})
