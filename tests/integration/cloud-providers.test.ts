import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConfiguration } from '@/lib/domains/configurations/verbs'
import type { CreateConnection } from '@/lib/domains/connections/schemas'
import { createConnection } from '@/lib/domains/connections/verbs'
import { createModel } from '@/lib/domains/models/verbs'
import type { Ctx } from '@/lib/kernel/context'
import { addDiscoveredModels } from '@/lib/probes/discover-models'
import { replaceConnectionKey } from '@/lib/probes/store-further-key'
import { testConnection } from '@/lib/probes/test-connection'
import { testToolCalling } from '@/lib/probes/test-tool-calling'
import type { Engine } from '@/lib/runs/engine/engine'
import { readRun } from '@/lib/runs/read-run'
import { startGoogleSignIn } from '@/tests/support/google-sign-in'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const token = 'entra-token-0123456789'
const googleToken = 'ya29.google-token-0123456789'

let admin: Ctx
let amazon: ModelServer
let azure: ModelServer
let google: ModelServer
let vertexAi: ModelServer
let signIn: Awaited<ReturnType<typeof startGoogleSignIn>>
let authority: { url: string; requested: number; close: () => void }
let engine: Engine

beforeAll(async () => {
  admin = await addPerson('admin')
  amazon = await startModelServer({ script: turnOfPrompt, apiKey: secret })
  azure = await startModelServer({ script: turnOfPrompt, apiKey: token })
  google = await startModelServer({ script: turnOfPrompt, apiKey: secret })
  vertexAi = await startModelServer({ script: turnOfPrompt, apiKey: googleToken })
  signIn = await startGoogleSignIn([googleToken])
  authority = await startAuthority()
  engine = await startTestEngine()
})
afterAll(async () => {
  await engine.close()
  await amazon.close()
  await azure.close()
  await google.close()
  await vertexAi.close()
  await signIn.close()
  authority.close()
})

/** Issues the token that the stand-in for Azure takes. */
async function startAuthority() {
  const issued = { url: '', requested: 0, close: () => void server.close() }
  const server = createServer((message, response) => {
    message.resume()
    issued.requested += 1
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: token, expires_in: 3600 }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issued.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issued
}

async function addSite(
  facts: Pick<CreateConnection, 'wire' | 'baseUrl' | 'settings'>,
  modelId: string,
) {
  const name = `cloud ${randomUUID()}`
  const connection = await createConnection(admin, {
    ...facts,
    name,
    trustZone: 'local',
    privateAddressAllowed: true,
    apiKey: facts.settings?.authentication === 'service-account' ? signIn.keyFile : secret,
  })
  const model = await createModel(admin, {
    connectionId: connection.id,
    modelId,
    displayName: modelId,
    contextTokens: 100_000,
    maxOutputTokens: 4_000,
    toolCalling: 'confirmed',
  })
  const identifier = `cloud-${randomUUID().slice(0, 8)}`
  await createConfiguration(admin, { identifier, name, modelId: model.id, maxRounds: 5 })
  return {
    connectionId: connection.id,
    modelId: model.id,
    site: { admin, configuration: identifier },
  }
}

const bedrock = () => ({
  wire: 'bedrock' as const,
  baseUrl: amazon.url,
  settings: { region: 'eu-central-1', accessKeyId: 'AKIDEXAMPLE012345' },
})
const entra = () => ({
  wire: 'azure-openai' as const,
  baseUrl: `${azure.url}/v1`,
  settings: {
    authentication: 'entra',
    tenantId: `tenant-${randomUUID()}`,
    clientId: 'app-1',
    authority: authority.url,
  },
})

const gemini = () => ({ wire: 'gemini' as const, baseUrl: google.url, settings: {} })

const vertex = () => ({
  wire: 'gemini' as const,
  baseUrl: vertexAi.url,
  settings: {
    authentication: 'service-account',
    project: 'acme-prod',
    location: 'europe-west4',
    authority: signIn.url,
  },
})

const prompt =
  '[[call list_users {}]] [[call list_groups {}]] [[then]] [[say: Two tools answered.]]'

test.each([
  ['Bedrock', bedrock, 'eu.anthropic.claude-test-v1:0'],
  ['Azure', entra, 'my-deployment'],
  ['Gemini', gemini, 'gemini-3-test'],
  ['Vertex AI', vertex, 'gemini-3-test'],
])('%s answers a run with tools', async (_name, facts, modelId) => {
  const { site } = await addSite(facts(), modelId)
  const { runId } = await start(site, prompt)
  const events = await collect(admin, runId)
  expect(events.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'completed' } })
  expect(events.filter(({ type }) => type === 'call-end')).toHaveLength(2)
  expect(JSON.stringify(events)).toContain('Two tools answered.')
  expect(JSON.stringify(events)).not.toContain(secret)
  const run = JSON.stringify(await readRun(admin, runId))
  for (const hidden of [token, googleToken, 'PRIVATE KEY']) expect(run).not.toContain(hidden)
})

test.each([
  ['Bedrock', bedrock, 'eu.anthropic.claude-test-v1:0'],
  ['Azure', entra, 'my-deployment'],
  ['Gemini', gemini, 'gemini-3-test'],
  ['Vertex AI', vertex, 'gemini-3-test'],
])('%s is tested, and so is a model of it', async (_name, facts, modelId) => {
  const added = await addSite(facts(), modelId)
  expect(await testConnection(admin, { id: added.connectionId })).toMatchObject({ outcome: 'ok' })
  const server = new Map<unknown, ModelServer>([
    [bedrock, amazon],
    [entra, azure],
    [gemini, google],
    [vertex, vertexAi],
  ]).get(facts)
  server?.queue({ calls: [{ name: 'report_number', arguments: { number: 7 } }] })
  expect(await testToolCalling(admin, { id: added.modelId })).toMatchObject({
    outcome: 'confirmed',
  })
})

test('the models of a region are found, and what cannot be asked is not', async () => {
  const { connectionId } = await addSite(bedrock(), 'other')
  const wanted = ['eu.anthropic.claude-test-v1:0', 'anthropic.claude-test-v1:0']
  const { ids, missing } = await addDiscoveredModels(admin, { connectionId, modelIds: wanted })
  expect(ids).toHaveLength(1)
  expect(missing).toEqual(['anthropic.claude-test-v1:0'])
})

test('a key that Google refuses is to be replaced, and nothing else is blamed', async () => {
  const { connectionId } = await addSite(gemini(), 'other')
  const apiKey = 'AIza-wrong-0123456789'
  const refused = await replaceConnectionKey(admin, { id: connectionId, apiKey })
  const message =
    'Google refused the key of this connection (HTTP 400). Check the key, or take a new one from the provider.'
  expect(refused).toMatchObject({ stored: false, test: { outcome: 'unauthorised', message } })
})

test('the models of Google are found by their names, without those that write no text', async () => {
  const { connectionId } = await addSite(gemini(), 'other')
  const wanted = ['gemini-3-test', 'gemini-embedding-test']
  const { ids, missing } = await addDiscoveredModels(admin, { connectionId, modelIds: wanted })
  expect(ids).toHaveLength(1)
  expect(missing).toEqual(['gemini-embedding-test'])
})

test('the Gemini models of Vertex AI are found by their names', async () => {
  const { connectionId } = await addSite(vertex(), 'other')
  const wanted = ['gemini-3-test', 'gemini-live-test', 'text-bison']
  const { ids, missing } = await addDiscoveredModels(admin, { connectionId, modelIds: wanted })
  expect(ids).toHaveLength(1)
  expect(missing).toEqual(['gemini-live-test', 'text-bison'])
})
