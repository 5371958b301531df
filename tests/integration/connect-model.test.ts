import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConnection } from '@/lib/domains/connections/reads'
import { readModel } from '@/lib/domains/models/reads'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError, ValidationError } from '@/lib/kernel/errors'
import { type Connected, connectModel, findModels, undoConnect } from '@/lib/probes/connect-model'
import { unpriced } from '@/lib/protocol/cost/cost'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { db } from '@/tests/support/fixture-db'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'

let admin: Ctx
let server: ModelServer
const key = 'sk-test-0123456789abcdef'

beforeAll(async () => {
  server = await startModelServer({ apiKey: key })
})
beforeEach(async () => {
  // Tests that reach a provider are counted for each person.
  admin = await addPerson('admin')
  await db().configuration.deleteMany()
  await db().model.deleteMany()
  await db().connection.deleteMany()
  await db().auditEntry.deleteMany()
})
afterAll(() => server.close())

const provider = () => ({
  name: 'My server',
  wire: 'openai-compatible' as const,
  baseUrl: `${server.url}/v1`,
  privateAddressAllowed: true,
  apiKey: key,
})
const stored = async () => ({
  connections: await db().connection.count(),
  secrets: await db().vaultSecret.count(),
  models: await db().model.count(),
  configurations: await db().configuration.count(),
})
const fieldsOf = (request: Promise<unknown>) =>
  request.then(
    () => null,
    (error: unknown) => (error instanceof ValidationError ? error.fields : error),
  )

test('a new provider is asked for its models, and what each answer about data allows is counted', async () => {
  const before = await stored()
  const { offers, sensible, data, suggested } = await findModels(admin, { provider: provider() })
  expect(offers.map(({ modelId }) => modelId)).toContain(sensible)
  expect(
    data.map(({ dataClass, trustZone, isRaised }) => [dataClass, trustZone, isRaised]),
  ).toEqual([
    ['content', 'external-global', false],
    ['source-code', 'external-global', true],
    ['internal-config', 'external-global', true],
    ['diagnostics', 'private', false],
    ['secret-adjacent', 'local', false],
  ])
  expect(suggested).toBe('secret-adjacent')
  const counts = data.map(({ tools }) => tools)
  expect(counts).toEqual(counts.toSorted((one, other) => one - other))
  expect(await stored()).toEqual(before)
})

test('a refused key and a server that does not answer are said in words, and nothing is stored', async () => {
  const strict = createServer((_, response) => void response.writeHead(401).end('{}'))
  await new Promise<void>((resolve) => void strict.listen(0, '127.0.0.1', resolve))
  const { port } = strict.address() as AddressInfo
  const at = (address: string) =>
    findModels(admin, { provider: { ...provider(), baseUrl: address } }).then(
      () => null,
      (error: Error) => error.message,
    )
  const refused = await at(`http://127.0.0.1:${port}/v1`)
  expect(refused).toContain('401')
  expect(refused).not.toContain(key)
  await new Promise((resolve) => strict.close(resolve))
  expect(await at(`http://127.0.0.1:${port}/v1`)).toContain('Nothing answers')
  expect(await stored()).toMatchObject({ connections: 0, models: 0 })
})

test('one change adds all three, each in the audit, and one undo deletes all three', async () => {
  const secrets = await db().vaultSecret.count()
  const connected = await connectModel(admin, { provider: provider(), dataClass: 'content' })
  expect(connected).toMatchObject({
    identifier: 'test-model',
    added: { connection: true, model: true },
  })
  const { trustZone, key: shown } = await readConnection(admin, { id: connected.connectionId })
  expect({ trustZone, shown }).toMatchObject({ trustZone: 'external-global', shown: {} })
  const entries = await db().auditEntry.findMany({ orderBy: { id: 'asc' } })
  expect(entries.map(({ action }) => action)).toEqual([
    'connection.create',
    'model.create',
    'configuration.create',
  ])
  expect(JSON.stringify(entries)).not.toContain(key)
  await undoConnect(admin, connected)
  expect(await stored()).toEqual({ connections: 0, secrets, models: 0, configurations: 0 })
})

test('a second connection of the same name gets a free one, which the answer says', async () => {
  const request = { provider: provider(), dataClass: 'content' as const }
  const first = await connectModel(admin, request)
  const second = await connectModel(admin, request)
  const { name } = await readConnection(admin, { id: second.connectionId })
  expect(second.connectionName).toBe(name)
  expect(name).not.toBe(first.connectionName)
})

test('the price that a person answers is that of the model, with where it is from', async () => {
  const prices = { ...unpriced, input: 0, output: 500_000 }
  const price = { prices, source: 'Entered when it was connected' }
  const request = { provider: provider(), dataClass: 'content' as const, price }
  const { modelId } = await connectModel(admin, request)
  expect((await readModel(admin, { id: modelId })).history).toMatchObject([price])
  const wrong = { ...prices, input: Number.NaN }
  expect(
    await fieldsOf(connectModel(admin, { ...request, price: { ...price, prices: wrong } })),
  ).toEqual({
    'price.prices.input': expect.stringContaining('US dollars'),
  })
})

test('the tools that are offered afterwards are as many as the answer said', async () => {
  const { data } = await findModels(admin, { provider: provider() })
  for (const { dataClass, tools, isRaised } of data) {
    const { configurationId } = await connectModel(admin, {
      provider: provider(),
      dataClass,
      staysHere: true,
      ...(isRaised && { reason: 'It is a test.' }),
    })
    const request = { userId: null, configuration: configurationId, selected: null }
    const offered = (await explainTools(admin, request)).filter(({ verdict }) => verdict.allowed)
    expect([dataClass, offered.length]).toEqual([dataClass, tools])
  }
  const identifiers = await db().configuration.findMany({ select: { identifier: true } })
  expect(new Set(identifiers.map((each) => each.identifier)).size).toBe(data.length)
})

test('more than the zone allows needs a reason, and a zone of one’s own network a confirmation', async () => {
  const ask = (given: object) =>
    fieldsOf(connectModel(admin, { provider: provider(), dataClass: 'content', ...given }))
  expect(await ask({ dataClass: 'internal-config' })).toHaveProperty('reason')
  expect(await ask({ dataClass: 'secret-adjacent' })).toHaveProperty('staysHere')
  expect(await ask({ modelId: 'nothing-like-it' })).toHaveProperty('modelId')
  expect(await stored()).toMatchObject({ connections: 0, models: 0, configurations: 0 })
  const reason = 'Settings of the test may be sent.'
  const { configurationId } = await connectModel(admin, {
    provider: provider(),
    dataClass: 'internal-config',
    reason,
  })
  const row = await db().configuration.findUniqueOrThrow({ where: { id: configurationId } })
  expect(row.raisedDataClass).toBe('internal-config')
  const [entry] = await db().auditEntry.findMany({ where: { action: 'configuration.create' } })
  expect(entry).toMatchObject({ reason, after: { raisedDataClass: 'internal-config' } })
})

test('secrets of a new connection, also those in headers, are stored after a fresh proof only', async () => {
  const proof = new Error('Confirm who you are.')
  const request: Ctx = {
    ...admin,
    requireProof: () => {
      throw proof
    },
  }
  const withHeader = { ...provider(), apiKey: null, headers: { 'x-team': 'secret' } }
  for (const each of [provider(), withHeader])
    await expect(connectModel(request, { provider: each, dataClass: 'content' })).rejects.toBe(
      proof,
    )
  await connectModel(request, { provider: { ...provider(), apiKey: null }, dataClass: 'content' })
})

test('a stored connection keeps its zone and its models, and an undo leaves them', async () => {
  const first = await connectModel(admin, { provider: provider(), dataClass: 'content' })
  const again: Connected = await connectModel(admin, {
    provider: { connectionId: first.connectionId },
    dataClass: 'content',
  })
  expect(again).toMatchObject({
    connectionId: first.connectionId,
    modelId: first.modelId,
    identifier: 'test-model-2',
    added: { connection: false, model: false },
  })
  await expect(undoConnect(admin, first)).rejects.toBeInstanceOf(ConflictError)
  await undoConnect(admin, again)
  expect(await stored()).toMatchObject({ connections: 1, models: 1, configurations: 1 })
})
