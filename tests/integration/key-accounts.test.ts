import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import { addKey, removeKey } from '@/lib/domains/connections/key-verbs'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { RunDeps } from '@/lib/engines/runtime/deps'
import { startOf } from '@/lib/engines/runtime/run-step'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { Engine } from '@/lib/runs/engine/engine'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { runSnapshot } from '@/tests/support/run-fixture'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

let server: ModelServer
let engine: Engine
let admin: Ctx

beforeAll(async () => {
  server = await startModelServer()
  engine = await startTestEngine()
  admin = await addPerson('admin')
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

/** Adds a connection with the keys of two accounts. */
async function addSite(url: string, wire: ModelTarget['wire']) {
  const { id: connectionId } = await createConnection(admin, {
    name: `Pool ${randomUUID().slice(0, 8)}`,
    wire,
    baseUrl: url,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: 'sk-first-0123456789abcdef',
  })
  await addKey(admin, { id: connectionId, label: 'second', apiKey: 'sk-second-0123456789abcdef' })
  const model = { connectionId, modelId: 'test-model', displayName: 'Test model' }
  const { id: modelId } = await createModel(admin, model)
  const configuration = `pool-${randomUUID().slice(0, 8)}`
  await createConfiguration(admin, { identifier: configuration, name: configuration, modelId })
  return { admin, configuration, connectionId }
}

const limited: ScriptedTurn = { status: 429, headers: { 'retry-after': '0' } }

function sealedIn(body: Record<string, unknown>): string[] {
  const input = body.input as { encrypted_content?: string }[]
  return input.flatMap((item) => item.encrypted_content ?? [])
}

test('sealed text of one account is sent to that account again, and to no other', async () => {
  const site = await addSite(`${server.url}/v1`, 'openai')
  server.queue(
    { calls: [{ name: 'list_groups' }], reasoning: 'Groups first.' },
    limited,
    { calls: [{ name: 'list_users' }], reasoning: 'Then people.' },
    limited,
    { text: 'Done.' },
  )
  const { runId } = await start(site, 'Who is here?')
  const state = foldRun(await collect(admin, runId))
  expect(state.end?.reason).toBe('completed')
  server.assertDone()
  const sent = server.requests.splice(0)
  const keys = sent.map(({ headers }) => headers.authorization)
  const [own, , other] = keys
  expect(other).not.toBe(own)
  expect(keys).toEqual([own, own, other, other, own])
  const [, [ofOwn] = [], , [ofOther] = []] = sent.map(({ body }) => sealedIn(body))
  expect(ofOwn).toMatch(/^sealed-/)
  expect(ofOther).not.toBe(ofOwn)
  expect(sent.map(({ body }) => sealedIn(body))).toEqual([[], [ofOwn], [], [ofOther], [ofOwn]])

  // Another process, and one that had a choice of keys before, do not know which account it was.
  const [target] = startOf(state).snapshot.targets
  if (!target) throw new Error('A run has a target.')
  const asking = {
    runId,
    patience: { retryMs: 1_000, unreadableMs: 5_000, goesOn: () => true },
    policyVersion: () => '',
  }
  const ask = engine.connectionGate.openStream(asking)
  expect(await sealedAsked(ask, target)).toEqual([])
  await removeKey(admin, { id: site.connectionId, key: 'second' })
  expect(await sealedAsked(ask, target)).toEqual([])
  expect(await sealedAsked(engine.connectionGate.openStream(asking), target)).toEqual([
    'sealed-before',
  ])
})

const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed-before' }

/** Returns the encrypted parts of an earlier answer that a request sends back. */
async function sealedAsked(ask: RunDeps['streamModel'], target: ModelTarget): Promise<string[]> {
  const { parameters } = runSnapshot()
  const request: ModelRequest = {
    modelId: 'test-model',
    system: '',
    tools: [],
    parameters,
    messages: [
      { role: 'user', text: 'Hello?' },
      {
        role: 'assistant',
        text: 'Hello.',
        reasoning: [],
        toolCalls: [],
        native: JSON.stringify([thought, { role: 'assistant', content: 'Hello.' }]),
      },
      { role: 'user', text: 'Again?' },
    ],
  }
  server.queue({ text: 'Hello again.' })
  for await (const _ of ask(target, request, new AbortController().signal, async () => true));
  return server.requests.splice(0).flatMap(({ body }) => sealedIn(body))
}

test('an answer whose key was limited afterwards is settled as a try of its own', async () => {
  const usage = { input_tokens: 1_234, output_tokens: 1 }
  const begun = { type: 'message_start', message: { id: 'm', role: 'assistant', usage } }
  const whole = [
    begun,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
  const refused = [begun, { type: 'error', error: { type: 'rate_limit_error', message: 'Slow.' } }]
  const keys: unknown[] = []
  const provider = createServer((request, response) => {
    request.resume()
    keys.push(request.headers['x-api-key'] ?? request.headers.authorization)
    const events = keys.length === 1 ? refused : whole
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end(frames.join(''))
  })
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo
  const site = await addSite(`http://127.0.0.1:${port}`, 'anthropic')
  const { runId } = await start(site, 'Hello?', { tools: [] })
  const state = foldRun(await collect(admin, runId))
  provider.close()
  expect(state.end?.reason).toBe('completed')
  expect(new Set(keys).size).toBe(2)
  const records = await db().usageRecord.findMany({ where: { runId }, orderBy: { at: 'asc' } })
  expect(records).toMatchObject([
    { inputTokens: 1_234, errorCategory: 'rate-limited' },
    { inputTokens: 1_234, errorCategory: null },
  ])
})
