import { afterAll, beforeAll, expect, test } from 'vitest'
import { listApiKeys } from '@/lib/domains/api-keys/verbs'
import { readUser } from '@/lib/domains/users/reads'
import { resetPassword } from '@/lib/domains/users/sign-in-verbs'
import { updateUser } from '@/lib/domains/users/verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { Engine } from '@/lib/runs/engine/engine'
import { revokeKey } from '@/lib/runs/verbs'
import { apiKeyOf, apiRoute, ask, askApi } from '@/tests/support/api-client'
import { db } from '@/tests/support/fixture-db'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { readSse } from '@/tests/support/read-sse'
import { addRunSite, collect, type RunSite, start } from '@/tests/support/run-site'
import { suspendPerson } from '@/tests/support/suspend-person'
import { startTestEngine } from '@/tests/support/test-engine'
import { words } from '@/tests/support/words'

const runsRoute = apiRoute('/runs')

let server: ModelServer
let engine: Engine
let site: RunSite

beforeAll(async () => {
  server = await startModelServer({ script: turnOfPrompt })
  engine = await startTestEngine()
  site = await addRunSite(server.url)
})

afterAll(async () => {
  await engine.close()
  await server.close()
})

const slow = (count: number) => `[[say slowly 50ms: ${words(count)}]]`

function begin(key: string, prompt: string): Promise<Response> {
  const json = { configuration: site.configuration, prompt }
  return ask(runsRoute.POST, 'POST', '/api/v1/runs', { key, json })
}

const runOf = async (key: string, prompt: string): Promise<string> =>
  (await (await begin(key, prompt)).json()).runId

/** Adds a key for runs, and returns its entry in the list. */
async function addKey() {
  const key = await apiKeyOf(site.admin, 'runs:write', 'runs:read')
  const listed = async () => {
    const row = (await listApiKeys(site.admin)).find(({ prefix }) => prefix === key.slice(0, 9))
    if (!row) throw new Error('The key is not listed.')
    return row
  }
  return { key, listed, id: (await listed()).id }
}

test('revoking a key stops the runs that it started, and no others', async () => {
  const [{ key, id, listed }, other] = [await addKey(), await addKey()]
  const [its, another] = [await runOf(key, slow(100)), await runOf(other.key, slow(20))]
  expect(await listed()).toMatchObject({ runsUnderWay: 1 })
  expect(await revokeKey(site.admin, { keyId: id, reason: 'leaked' })).toEqual({ stoppedRuns: 1 })
  const ended = await collect(site.admin, its)
  expect(ended.at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'cancelled' } })
  const request = ended.find(({ type }) => type === 'cancel-requested')
  expect(request?.data).toMatchObject({
    reason: expect.stringMatching(/^The API key .* was revoked\.$/),
  })
  expect((await collect(site.admin, another)).at(-1)).toMatchObject({
    data: { reason: 'completed' },
  })
  const audited = await db().auditEntry.findFirst({
    where: { objectId: id, action: 'api-key.revoke' },
  })
  expect(audited?.after).toMatchObject({ stoppedRuns: [its] })
  expect((await begin(key, 'hello')).status).toBe(401)
})

test('its runs go on when that is wanted', async () => {
  const { key, id } = await addKey()
  const its = await runOf(key, slow(20))
  expect(await revokeKey(site.admin, { keyId: id, stopRuns: false })).toEqual({ stoppedRuns: 0 })
  expect((await collect(site.admin, its)).at(-1)).toMatchObject({ data: { reason: 'completed' } })
})

test('a start that a session began is not stored once the session has ended', async () => {
  const { actor } = site.admin
  const data = { userId: actor.userId, expiresAt: new Date(Date.now() + 60_000) }
  const session = await db().session.create({ data })
  const inBrowser = { ...site, admin: { ...site.admin, sessionId: session.id } }
  const { runId } = await start(inBrowser, '[[say: hello]]')
  expect((await collect(site.admin, runId)).at(-1)).toMatchObject({ data: { reason: 'completed' } })
  await db().session.update({ where: { id: session.id }, data: { revokedAt: new Date() } })
  const before = await db().run.count()
  await expect(start(inBrowser, '[[say: hello]]')).rejects.toThrow('Sign in to continue.')
  expect(await db().run.count()).toBe(before)
})

test('runs, streams and keys of a suspended person end or wait, and only the keys come back', async () => {
  const person = await addPerson('admin')
  const owner = { ...site, admin: person }
  const key = await apiKeyOf(person, 'runs:read', 'runs:write')
  const [{ runId }, other] = [await start(owner, slow(400)), await start(site, slow(400))]
  const stream = await askApi('GET', `/runs/${other.runId}/events`, { key })
  const enter = await suspendPerson(person)
  const suspendedAt = Date.now()
  const ended = collect(site.admin, runId)
  await readSse(stream)
  expect(Date.now() - suspendedAt).toBeLessThan(promised(5_000))
  const refused = await begin(key, 'hello')
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('The account of this API key is suspended.')
  expect(await enter(['ops'])).toMatchObject({ type: 'signed-in' })
  expect((await ended).at(-1)).toMatchObject({ type: 'run-end', data: { reason: 'revoked' } })
  expect((await begin(key, '[[say: hello]]')).status).toBe(202)
})

test('a reset of the password says how many runs it stopped', async () => {
  const { actor } = await addPerson('admin')
  const owner = { ...site, admin: { ...site.admin, actor } }
  const [first, second] = [await start(owner, slow(400)), await start(owner, slow(400))]
  expect(await readUser(site.admin, actor.userId)).toMatchObject({ activeRuns: 2 })
  await resetPassword(site.admin, { userId: actor.userId, reason: 'stolen' })
  const resetAt = Date.now()
  for (const { runId } of [first, second]) {
    const end = (await collect(site.admin, runId)).at(-1)
    expect(end).toMatchObject({ type: 'run-end', data: { reason: 'revoked' } })
  }
  expect(Date.now() - resetAt).toBeLessThan(promised(2_000))
  const audited = { objectId: actor.userId, action: { startsWith: 'user.' } }
  const entry = await db().auditEntry.findFirst({ where: audited, orderBy: { at: 'desc' } })
  expect(entry?.after).toMatchObject({ runsStopped: 2 })
})

test.each([
  ['is demoted', { role: 'member' }],
  ['is disabled', { disabled: true }],
] as const)(
  'the stream of an admin who %s closes within 5 s, and the run of another goes on',
  async (_what, change) => {
    const watcher: Ctx = await addPerson('admin')
    const key = await apiKeyOf(watcher, 'runs:read')
    const { runId } = await start(site, slow(150))
    const stream = await askApi('GET', `/runs/${runId}/events`, { key })
    await updateUser(site.admin, { userId: watcher.actor.userId, ...change, reason: 'left' })
    const changedAt = Date.now()
    const events = await readSse(stream)
    expect(Date.now() - changedAt).toBeLessThan(promised(5_000))
    expect(events.map(({ type }) => type)).not.toContain('run-end')
    expect((await collect(site.admin, runId)).at(-1)).toMatchObject({
      data: { reason: 'completed' },
    })
  },
)
