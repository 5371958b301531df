import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import { listConfigurations } from '@/lib/domains/configurations/usable'
import { listConnections } from '@/lib/domains/connections/reads'
import { listModels } from '@/lib/domains/models/reads'
import { systemCtx } from '@/lib/kernel/context'
import { seed } from '@/prisma/seed'
import { db } from '@/tests/support/fixture-db'
import { openStoredConnection } from '@/tests/support/open-stored-connection'

// A port without a listener.
const nowhere = 'http://127.0.0.1:9'
const quiet = { source: {}, ollamaUrl: nowhere }
const identifiers = async () => (await listConfigurations(systemCtx())).map((c) => c.identifier)

beforeEach(async () => {
  await db().configuration.deleteMany()
  await db().model.deleteMany()
  await db().connection.deleteMany()
  await db().vaultSecret.deleteMany()
  await db().setting.deleteMany()
  await db().task.deleteMany()
  await db().user.deleteMany()
})

test('a first start brings the demo, priced at nothing and called no model', async () => {
  expect(await seed(quiet)).toEqual({ seeded: true })
  expect(await listConfigurations(systemCtx())).toMatchObject([
    {
      identifier: 'demo',
      name: 'Demo (no model)',
      wire: 'demo',
      leastTrusted: { zone: 'local' },
      prices: { input: 0, output: 0 },
    },
  ])
  expect(await db().task.count()).toBe(3)
  expect(await db().storage.count()).toBe(0)
  expect(await db().user.count()).toBe(0)
})

test('a second start changes nothing and brings nothing back', async () => {
  await seed(quiet)
  await db().configuration.deleteMany()
  const everything = { OPENAI_API_KEY: 'sk-openai-0123456789' }
  expect(await seed({ source: everything, ollamaUrl: nowhere })).toEqual({ seeded: false })
  expect(await identifiers()).toEqual([])
  expect(await listConnections(systemCtx(), {})).toHaveLength(1)
})

test('starts at the same moment seed once; one that was cut short goes on', async () => {
  const results = await Promise.all([seed(quiet), seed(quiet), seed(quiet)])
  expect(results.filter(({ seeded }) => seeded)).toHaveLength(1)
  await db().setting.deleteMany()
  await db().configuration.deleteMany()
  expect(await seed(quiet)).toEqual({ seeded: true })
  expect(await identifiers()).toEqual(['demo'])
  expect(await db().connection.count()).toBe(1)
  expect(await db().task.count()).toBe(3)
})

test('keys in the environment become providers, with the key in the vault', async () => {
  const source = { OPENAI_API_KEY: 'sk-openai-0123456789', ANTHROPIC_API_KEY: 'sk-ant-0123456789' }
  await seed({ source, ollamaUrl: nowhere })
  expect(await identifiers()).toEqual(['anthropic', 'demo', 'openai'])
  const connections = await listConnections(systemCtx(), {})
  const openai = connections.find(({ wire }) => wire === 'openai')
  expect(openai).toMatchObject({ trustZone: 'external-global', key: { lastFour: '6789' } })
  const opened = await openStoredConnection(openai?.id ?? '')
  expect(opened.apiKey).toBe(source.OPENAI_API_KEY)
})

test('a local Ollama becomes a provider with its models, those that call tools first', async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const names = ['plain:1b', 'tools:8b', 'c', 'd', 'e', 'f']
      const capabilities = String(Buffer.concat(chunks)).includes('tools:8b') ? ['tools'] : []
      const answer =
        request.url === '/api/tags' ? { models: names.map((name) => ({ name })) } : { capabilities }
      response.end(JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    await seed({ source: {}, ollamaUrl: `http://127.0.0.1:${port}` })
  } finally {
    server.close()
  }
  const models = (await listModels(systemCtx(), {})).filter((m) => m.connectionName === 'Ollama')
  expect(models).toHaveLength(5)
  const configurations = await listConfigurations(systemCtx())
  expect(configurations.find(({ identifier }) => identifier === 'ollama')).toMatchObject({
    modelId: 'tools:8b',
    toolCalling: 'confirmed',
    leastTrusted: { connectionName: 'Ollama', zone: 'local' },
  })
})

test('ADMIN_EMAIL and ADMIN_PASSWORD make the first admin, once', async () => {
  const source = { ADMIN_EMAIL: 'ana@example.org', ADMIN_PASSWORD: 'lamp river quiet stone' }
  await Promise.all([seed({ ...quiet, source }), seed({ ...quiet, source })])
  await seed({ ...quiet, source: { ...source, ADMIN_EMAIL: 'bo@example.org' } })
  expect(await db().user.findMany()).toMatchObject([{ email: 'ana@example.org', role: 'admin' }])
})

test('a first admin that cannot be made is one sentence that names the variable', async () => {
  const email = 'ana@example.org'
  await expect(seed({ ...quiet, source: { ADMIN_EMAIL: email } })).rejects.toThrow(
    'Set ADMIN_EMAIL and ADMIN_PASSWORD both, or neither.',
  )
  const source = { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'short' }
  await expect(seed({ ...quiet, source })).rejects.toThrow(
    'The first admin cannot be created. ADMIN_PASSWORD: A password needs at least 12 characters.',
  )
  const weak = { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'password1234' }
  await expect(seed({ ...quiet, source: weak })).rejects.toThrow(
    'ADMIN_PASSWORD: This password is too easy to guess. It is close to a common password.',
  )
})
