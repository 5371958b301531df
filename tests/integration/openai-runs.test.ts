import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/lib/kernel/db'
import { discoverModels } from '@/lib/probes/discover-models'
import { testConnection } from '@/lib/probes/test-connection'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import type { Engine } from '@/lib/runs/engine/engine'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addRunSite, collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine
beforeAll(async () => {
  server = await startModelServer({
    script: (request) => refusedEffort(request) ?? turnOfPrompt(request),
  })
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Refuses tools over Chat Completions while the model reasons, as OpenAI's current models do. */
function refusedEffort({ wire, offered, body }: ServedRequest): ScriptedTurn | null {
  const thinks = wire === 'chat-completions' && body.reasoning_effort !== 'none'
  if (!thinks || offered.length === 0) return null
  const message = `Function tools with reasoning_effort are not supported for ${body.model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`
  return { status: 400, body: { error: { message, type: 'invalid_request_error' } } }
}

const prompt = [
  '[[reason: Both at once.]] [[call list_users {}]] [[call list_groups {}]]',
  '[[then]] [[call list_users {"limit": 1}]] [[then]] [[say: All looked at.]]',
].join(' ')

test('a run over Responses gives back what it got, through the journal', async () => {
  const site = await addRunSite(server.url, 'openai')
  const { runId } = await start(site, prompt)
  const events = await collect(site.admin, runId)
  expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'completed' } })
  const sent = server.requests.splice(0)
  expect(sent.map(({ path, unexpected }) => [path, unexpected])).toEqual(
    Array(3).fill(['/v1/responses', false]),
  )
  const input = sent[2]?.body.input as { type?: string; encrypted_content?: string }[]
  const kinds = input.map(({ type = 'words' }) => type)
  expect(kinds).toEqual([
    'words',

    'reasoning',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
    'reasoning',
    'function_call',
    'function_call_output',
  ])
  expect(input[1]?.encrypted_content).toMatch(/^sealed-/)
  expect(JSON.stringify(events)).not.toContain('sealed-')
})

test('a model of Responses is tested, and so are its connection and what it offers', async () => {
  const { admin } = await addRunSite(server.url, 'openai')
  const connection = await db().connection.findFirstOrThrow({
    where: { wire: 'openai' },
    orderBy: { createdAt: 'desc' },
    include: { models: true },
  })
  expect(await testConnection(admin, { id: connection.id })).toMatchObject({ outcome: 'ok' })
  expect(await discoverModels(admin, { connectionId: connection.id })).toMatchObject([
    { modelId: 'test-model' },
  ])
  server.queue({ calls: [{ name: 'report_number', arguments: { number: 7 } }] })
  expect(await testToolCalling(admin, { id: connection.models[0]?.id ?? '' })).toMatchObject({
    outcome: 'confirmed',
  })
  const [requests] = server.requests.splice(0)
  expect(requests?.body.tools).toMatchObject([{ name: 'report_number', strict: true }])
})

test('over Chat Completions a model is asked not to think where it must not, and the trace says so once', async () => {
  const site = await addRunSite(server.url, 'openai-compatible')
  const { runId } = await start(site, prompt)
  const events = await collect(site.admin, runId)
  expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'completed' } })
  expect(events.flatMap((event) => (event.type === 'warning' ? event.data.message : []))).toEqual([
    expect.stringContaining('reasoning effort “none”'),
  ])
  const messages = events.flatMap((event) => (event.type === 'message' ? event.data : []))
  expect(messages.map(({ retries }) => retries)).toEqual([1, 0, 0])
  expect(server.requests.splice(0).map(({ body }) => body.reasoning_effort)).toEqual([
    undefined,
    'none',
    'none',
    'none',
  ])
})

test('an address without Responses is told apart from a model that is not there', async () => {
  const site = await addRunSite(`${server.url}/elsewhere`, 'openai')
  const { runId } = await start(site, 'Hello.')
  const end = (await collect(site.admin, runId)).at(-1)
  expect(end).toMatchObject({
    type: 'run-end',
    data: {
      reason: 'provider-error',
      failure: { category: 'not-found', status: 404, advice: expect.stringContaining('Responses') },
    },
  })
})
