import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { readModel } from '@/lib/domains/models/reads'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { setEnv } from '@/tests/support/test-process'

let admin: Ctx
let engine: Engine
let server: ModelServer
let chosen: string

/** A server whose model `plain` refuses tools, as Ollama does, and whose model `busy` answers once. */
beforeAll(async () => {
  setEnv({ TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools') })
  server = await startModelServer({
    script: (request) => {
      if (request.model === 'plain' && request.offered.length > 0)
        return { status: 400, body: { error: 'plain does not support tools' } }
      if (request.model === 'busy' && request.round > 0)
        return { status: 429, headers: { 'retry-after': '0' } }
      return turnOfPrompt(request)
    },
  })
  admin = await addPerson('admin')
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

async function addModel(
  wire: ModelTarget['wire'],
  modelId: string,
  toolCalling?: ModelTarget['toolCalling'],
): Promise<string> {
  const connection = await createConnection(admin, {
    name: `${wire} ${modelId}`,
    wire,
    baseUrl: wire === 'ollama' ? server.url : `${server.url}/v1`,
    trustZone: 'local',
    privateAddressAllowed: true,
    maxTries: 1,
  })
  const facts = { connectionId: connection.id, modelId, displayName: modelId, toolCalling }
  return (await createModel(admin, facts)).id
}

async function run(prompt: string) {
  const { runId } = await start({ admin, configuration: chosen }, prompt)
  const state = foldRun(await collect(admin, runId))
  const sent = server.requests.filter((request) => request.prompt === prompt)
  return { state, sent }
}

const ask = (args: object) =>
  `[[say: I look. <tool_call>${JSON.stringify({ name: 'read_note', args })}</tool_call>]]`

test('a model whose test shows no tool calling works in prompted mode with the tool mode auto', async () => {
  const modelId = await addModel('ollama', 'plain')
  const tested = await testToolCalling(admin, { id: modelId })
  expect(tested).toMatchObject({ outcome: 'unsupported' })
  expect(tested.message).toContain('Prompted mode works with it')
  expect((await readModel(admin, { id: modelId })).toolCalling).toBe('unsupported')

  chosen = 'plain'
  await createConfiguration(admin, { identifier: chosen, name: 'Plain', modelId })
  const { state, sent } = await run(`${ask({ text: 'It is 42.' })} [[then]] [[say: 42 then.]]`)
  expect(state.end).toMatchObject({ reason: 'completed' })
  expect(state.rounds[0]).toMatchObject({
    text: 'I look.',
    inText: { fault: null },
    calls: [{ name: 'read_note', state: { outcome: { type: 'ok', content: 'It is 42.' } } }],
  })
  expect(state.rounds[1]?.text).toBe('42 then.')
  expect(sent).toHaveLength(2)
  for (const { body, system } of sent) {
    expect(body).not.toHaveProperty('tools')
    expect(system).toBe(sent[0]?.system)
    expect(system).toContain('"name":"read_note"')
  }
  expect(sent[1]?.results.join()).toMatch(/<tool_result name="read_note">[\s\S]*It is 42\./)
})

test('the hop budget of the configuration ends its requests with one final answer', async () => {
  const asks = [1, 2, 3].map((n) => ask({ text: `note ${n}` })).join(' [[then]] ')
  const { state, sent } = await run(`${asks} [[then]] [[say: That is all.]]`)
  expect(sent).toHaveLength(4)
  expect(state.rounds[2]?.calls[0]?.state).toMatchObject({ outcome: { gate: 'hop-budget' } })
  expect(state.rounds[3]).toMatchObject({ closing: true, text: 'That is all.' })
  expect(state.end).toMatchObject({ reason: 'max-rounds', truncated: true })
  expect(sent[3]?.results.join()).toContain('hop_budget_exhausted')
})

test('half a request runs nothing, and the next one counts', async () => {
  const half = '[[say: <tool_call>{"name":"read_note","args":{"text":</tool_call>]]'
  const { state } = await run(`${half} [[then]] ${ask({ text: 'whole' })} [[then]] [[say: Read.]]`)
  expect(state.rounds.map(({ calls }) => calls[0]?.state)).toMatchObject([
    { outcome: { type: 'invalid-arguments' } },
    { outcome: { type: 'ok' } },
    undefined,
  ])
  expect(state.end?.reason).toBe('completed')
})

test('in a chain, what one model called goes to the other as text', async () => {
  const busy = await addModel('openai-compatible', 'busy')
  const plain = await addModel('openai-compatible', 'plain', 'unsupported')
  chosen = 'chain'
  await createConfiguration(admin, {
    identifier: chosen,
    name: 'Chain',
    modelId: busy,
    fallbackModelIds: [plain],
  })
  const { state, sent } = await run('[[call read_note {"text":"It is 42."}]] [[then]] [[say: 42.]]')
  expect(state.end?.reason).toBe('completed')
  expect(sent.map(({ model, offered }) => [model, offered.length > 0])).toEqual([
    ['busy', true],
    ['busy', true],
    ['plain', false],
  ])
  expect(JSON.stringify(sent[2]?.body)).toContain('<tool_call>{\\"name\\":\\"read_note\\"')
  expect(JSON.stringify(sent[2]?.body)).not.toContain('tool_calls')
})

test('a call that was recorded confirms that a model calls tools, and a request in text does not', async () => {
  const id = await addModel('openai', 'capable')
  const toolsOf = async () => (await readModel(admin, { id })).toolCalling
  chosen = 'capable'
  const facts = { identifier: chosen, name: 'Capable', modelId: id }
  const configuration = await createConfiguration(admin, { ...facts, toolMode: 'prompted' })
  await run(`${ask({ text: 'in text' })} [[then]] [[say: Read.]]`)
  expect(await toolsOf()).toBe('unconfirmed')

  await db().configuration.update({ where: { id: configuration.id }, data: { toolMode: 'auto' } })
  await run('[[call read_note {"text":"It is 42."}]] [[then]] [[say: 42.]]')
  await expect.poll(toolsOf).toBe('confirmed')
  expect((await readModel(admin, { id })).toolCallingSource).toBe('tested')

  const notKnown = { toolCalling: 'unconfirmed', toolCallingSource: null } as const
  await db().model.updateMany({ where: { modelId: { in: ['capable', 'plain'] } }, data: notKnown })
  const migration = 'prisma/migrations/20261129073500_confirmed_by_calls.sql'
  await db().$executeRawUnsafe(await readFile(migration, 'utf8'))
  expect(await toolsOf()).toBe('confirmed')
  const others = await db().model.findMany({ where: { modelId: 'plain' } })
  expect(others.map(({ toolCalling }) => toolCalling)).toEqual(['unconfirmed', 'unconfirmed'])
})
