import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { addLocalModel } from '@/tests/support/add-local-model'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { addModel, tag } from '@/tests/support/configuration-fixture'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedTurn, ServedRequest } from '@/tests/support/model-server/scripted-turn'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { toolgate } from '@/tests/support/toolgate-process'

const one = apiRoute('/configurations/{name}')
const all = apiRoute('/configurations')

let admin: Ctx
let member: Ctx
let server: ModelServer
/** Served by the model server. */
let localModel: string
let answer: (request: ServedRequest) => Promise<ScriptedTurn | undefined>

beforeAll(async () => {
  admin = await addPerson('admin')
  member = await addPerson('member')
  server = await startModelServer({ script: async (request) => (await answer(request)) ?? {} })
  localModel = await addLocalModel(admin, {
    wire: 'openai-compatible',
    connectionName: 'Here',
    url: server.url,
  })
})

afterAll(async () => {
  await server.close()
})

test('over HTTP: read with its version, changed with it, refused with an older one', async () => {
  const key = await apiKeyOf(admin, 'configurations:read', 'configurations:write')
  const identifier = `http-${tag()}`
  const json = { identifier, name: 'By HTTP', modelId: localModel }
  const added = await ask(all.POST, 'POST', '/api/v1/configurations', { key, json })
  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({ version: 1, identifier, model: { id: localModel } })
  const here = { key, params: { name: identifier } }
  const address = `/api/v1/configurations/${identifier}`
  const shown = await ask(one.GET, 'GET', address, here)
  expect(shown.headers.get('etag')).toBe('"1"')
  const patch = (change: object, headers: Record<string, string> = {}) =>
    ask(one.PATCH, 'PATCH', address, { ...here, headers, json: change })
  const changed = await patch({ maxRounds: 3, note: 'Fewer' }, { 'if-match': '"1"' })
  expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
  expect(await changed.json()).toMatchObject({ version: 2, maxRounds: 3 })
  expect((await patch({ maxRounds: 4 }, { 'if-match': '"1"' })).status).toBe(412)
  expect((await patch({ maxRounds: 4 })).status).toBe(422)
  expect((await patch({ version: 2, maxRuonds: 4 })).status).toBe(422)
  expect((await patch({ version: 2, maxRounds: 4 })).status).toBe(200)
  const options = { verbosity: 'low', extraBody: { b: 1, aa: [2] }, toolChoice: { tool: 'echo' } }
  const first = await patch({ version: 3, options })
  expect(await first.json()).toMatchObject({ options: { ...options, promptCaching: true } })
  const second = await patch({ version: 4, options: { verbosity: null } })
  expect(await second.json()).toMatchObject({
    version: 5,
    options: { verbosity: null, extraBody: options.extraBody, toolChoice: options.toolChoice },
  })
  expect((await patch({ version: 5, options: { verbositty: 'low' } })).status).toBe(422)
  expect((await patch({ version: 5, options: { extraBody: [] } })).status).toBe(422)
  const taken = await patch({ version: 5, options: { extraBody: { model: 'other', ok: 1 } } })
  expect([taken.status, JSON.stringify(await taken.json())]).toEqual([
    422,
    expect.stringMatching(/options\.extraBody.*Toolgate sets model itself/),
  ])
  const list = await ask(all.GET, 'GET', '/api/v1/configurations', { key })
  expect(JSON.stringify(await list.json())).toContain(identifier)
  const reader = { ...here, key: await apiKeyOf(admin, 'configurations:read') }
  expect((await ask(one.DELETE, 'DELETE', address, reader)).status).toBe(403)
  const low = { ...here, key: await apiKeyOf(member, 'configurations:read') }
  expect((await ask(one.GET, 'GET', address, low)).status).toBe(403)
  expect((await ask(one.DELETE, 'DELETE', address, here)).status).toBe(204)
  expect((await ask(one.GET, 'GET', address, here)).status).toBe(404)
})

test('the command line does the same', async () => {
  const identifier = `cli-${tag()}`
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await toolgate(['configuration', ...args, '--json'])
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const far = await addModel(admin, 'external-global', tag())
  const { connectionName, modelId } = await db()
    .model.findUniqueOrThrow({ where: { id: far }, include: { connection: true } })
    .then((row) => ({ connectionName: row.connection.name, modelId: row.modelId }))
  const added = ['--connection', 'Here', '--model', 'test-model', '--identifier', identifier]
  await json('add', ...added, '--name', 'By CLI', '--temperature', '0.5', '--cost-cap', '0.25')
  const note = ['--note', 'Other']
  const wanted = ['--temperature', 'default', '--fallbacks', `${connectionName}/${modelId}`]
  const edited = await json('edit', identifier, ...wanted, '--top-p', '0.5', ...note)
  expect(edited).toMatchObject({ version: 2, changed: true })
  expect(edited.effect.closes).toContain('get_runtime_info')
  const stale = await toolgate(['configuration', 'edit', identifier, '--if-version', '1', ...note])
  expect(stale.code).toBe(1)
  expect(stale.stderr).toContain('you opened version 1')
  const govern = ['--tool-groups', 'system', '--data-class', 'diagnostics', '--reason', 'Contract']
  expect(await json('govern', '--configuration', identifier, ...govern)).toMatchObject({
    allowedToolGroups: ['system'],
    trustZone: 'external-global',
    dataLimitOfZone: 'content',
    dataLimit: 'diagnostics',
    enabled: true,
  })
  expect(await json('show', identifier)).toMatchObject({
    version: 3,
    temperature: null,
    topP: 0.5,
    costCapMicroUsd: 250_000,
    fallbacks: [{ id: far }],
    usedBy: { runs: 0 },
  })
  const diff = await toolgate(['configuration', 'versions', identifier, '--diff', '1,2'])
  expect(diff.stdout).toContain('Top-p:\n- model’s default\n+ 0.5\n')
  const options = ['--verbosity', 'high', '--stop-fallback-on', 'auth,server']
  const set = [
    '--prompt-caching',
    'off',
    '--reasoning-effort',
    'xhigh',
    '--prompted-hops',
    '3',
    '--tool-mode',
    'prompted',
  ]
  await json('edit', identifier, ...options, ...set, '--extra-body', '{"a": 1}')
  expect(await json('show', identifier)).toMatchObject({
    reasoningEffort: 'xhigh',
    toolMode: 'prompted',
    options: {
      verbosity: 'high',
      noFallbackOn: ['server', 'auth'],
      promptCaching: false,
      promptedHops: 3,
      extraBody: { a: 1 },
    },
  })
  const lines = (await toolgate(['configuration', 'versions', identifier, '--diff', '3,4'])).stdout
  expect(lines).toContain('Verbosity:\n- model’s default\n+ High\n')
  expect(lines).toContain('No fallback after:\n- none\n+ Server error, Key refused\n')
  const words = (await toolgate(['configuration', 'show', identifier])).stdout
  expect(words).toMatch(/Requests with tools in prompted mode +3/)
  await json('edit', identifier, '--verbosity', 'default', '--extra-body', 'none')
  expect((await json('show', identifier)).options).toMatchObject({
    verbosity: null,
    extraBody: null,
  })
  const bad = await toolgate(['configuration', 'edit', identifier, '--extra-body', '[1]'])
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Write a JSON object')])
  expect(await json('restore', identifier, '1')).toMatchObject({ version: 6 })
  await json('clone', identifier, '--identifier', `${identifier}-2`)
  const off = ['--reason', 'Off']
  expect(await json('disable', `${identifier}-2`, ...off)).toMatchObject({ changed: true })
  expect(await json('remove', `${identifier}-2`)).toMatchObject({ deleted: true })
  answer = async (request) => turnOfPrompt(request)
  const tested = await toolgate(['configuration', 'test', identifier, '--json'])
  expect(tested.code).toBe(0)
  expect(JSON.parse(tested.stdout)).toMatchObject({ identifier, failure: null })
})
