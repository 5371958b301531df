import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addNote } from '@/lib/domains/memory/store'
import { hashOf } from '@/lib/engines/tools/sandbox/text-file'
import { limitApiKey } from '@/lib/joined-verbs'
import type { ApiScope } from '@/lib/protocol/api-scope'
import type { KeyLimits } from '@/lib/protocol/key-limits'
import { foldRun } from '@/lib/protocol/run/fold-run'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import {
  type ApprovalSite,
  append,
  openApprovalSite,
  startOne,
  untilWaiting,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { addRunSite, collect, start } from '@/tests/support/run-site'

// Reads and decisions of a limited key about the runs of others (SPEC A7). The admin whose key it is sees everything.

let site: ApprovalSite
const scopes: ApiScope[] = [
  'runs:read',
  'runs:write',
  'approvals:read',
  'approvals:write',
  'workspaces:read',
  'memory:write',
  'usage:read',
]

beforeAll(async () => {
  site = await openApprovalSite()
  await site.startEngine()
})
beforeEach(async () => {
  await site.removeRules()
  await site.addRule()
})
afterAll(() => site.close())

async function addKey(limits: Partial<KeyLimits>): Promise<string> {
  const key = await apiKeyOf(site.admin, ...scopes)
  const { id } = await db().apiKey.findFirstOrThrow({ where: { prefix: key.slice(0, 9) } })
  await limitApiKey(site.admin, { id, ...limits })
  return key
}

async function otherConfiguration(): Promise<string> {
  const { url } = await db()
    .connection.findFirstOrThrow()
    .then(({ baseUrl }) => ({ url: baseUrl ?? '' }))
  return (await addRunSite(url.replace(/\/v1$/, ''))).configuration
}

const limits: [what: string, limits: () => Promise<Partial<KeyLimits>>][] = [
  ['other tools', async () => ({ tools: ['get_runtime_info'] })],
  ['another group of tools', async () => ({ toolGroups: ['system'] })],
  ['another configuration', async () => ({ configurations: [await otherConfiguration()] })],
]

describe('a key that is limited to', () => {
  test.each(limits)('%s neither sees nor decides a waiting call of another run', async (_w, of) => {
    const key = await addKey(await of())
    const row = await startOne(site, append('stolen'))
    const { approvalId, argumentsHash, runId } = row
    for (const query of ['', '?who=me', '?status=all', '?search=append_line']) {
      const listed = await (await askApi('GET', `/approvals${query}`, { key })).json()
      expect([query, listed.approvals, listed.total]).toEqual([query, [], 0])
    }
    const decisions = [
      { type: 'approve' },
      { type: 'edit', argumentsText: '{"text":"mine"}' },
      { type: 'deny', message: 'no' },
    ]
    for (const decision of decisions) {
      const json = { argumentsHash, decision }
      const { status } = await askApi('POST', `/approvals/${approvalId}`, { key, json })
      expect([decision.type, status]).toEqual([decision.type, 404])
    }
    expect(await db().approval.findUnique({ where: { id: approvalId } })).toMatchObject({
      status: 'pending',
      decidedBy: null,
    })
    const { runs } = await (await askApi('GET', '/runs', { key })).json()
    expect(runs.map((run: { runId: string }) => run.runId)).not.toContain(runId)
    const requested: [string, string, object?][] = [
      ['GET', `/runs/${runId}`],
      ['GET', `/runs/${runId}/events`],
      ['GET', `/runs/${runId}/compare/${runId}`],
      ['PATCH', `/runs/${runId}`, { note: 'mine' }],
      ['PUT', `/runs/${runId}/cost-cap`, { choice: 'ignore' }],
      ['POST', `/runs/${runId}/cancel`, {}],
      ['POST', '/runs', { configuration: site.configuration, prompt: 'x', continues: runId }],
      ['POST', '/runs', { configuration: site.configuration, prompt: 'x', changedFrom: runId }],
    ]
    for (const [method, path, json] of requested) {
      const { status } = await askApi(method, path, { key, ...(json && { json }) })
      expect([method, path, [403, 404].includes(status)]).toEqual([method, path, true])
    }
    const { status, cancelledBy } = await db().run.findUniqueOrThrow({ where: { id: runId } })
    expect([status === 'ended', cancelledBy]).toEqual([false, null])
    const json = { argumentsHash, decision: { type: 'deny' } }
    const wide = await apiKeyOf(site.admin, ...scopes)
    expect((await askApi('POST', `/approvals/${approvalId}`, { key: wide, json })).status).toBe(200)
    await collect(site.admin, runId)
    expect(await site.writtenLines()).not.toContain('stolen')
  })
})

test('a limited key decides the calls of the tool and configuration that it may use, without the rest of their runs', async () => {
  const key = await addKey({ tools: ['append_line'], configurations: [site.configuration] })
  const { approvalId, argumentsHash, runId } = await startOne(site, append('allowed'))
  const { approvals } = await (await askApi('GET', '/approvals?who=me', { key })).json()
  expect(approvals).toMatchObject([{ approvalId, argumentsText: '{"text":"allowed"}' }])
  // Its other calls may be of any tool.
  expect((await askApi('GET', `/runs/${runId}`, { key })).status).toBe(404)
  const json = { argumentsHash, decision: { type: 'approve' } }
  expect((await askApi('POST', `/approvals/${approvalId}`, { key, json })).status).toBe(200)
  await collect(site.admin, runId)
  expect(await site.writtenLines()).toContain('allowed')
})

test('a limited key sees its own runs, and with limits to configurations alone all runs of those', async () => {
  const key = await addKey({ tools: ['append_line'] })
  const json = { configuration: site.configuration, prompt: append('own') }
  const { runId } = await (await askApi('POST', '/runs', { key, json })).json()
  const [row] = await untilWaiting(site.admin, runId)
  expect((await askApi('GET', `/runs/${runId}`, { key })).status).toBe(200)
  const { runs } = await (await askApi('GET', '/runs', { key })).json()
  expect(runs).toMatchObject([{ runId }])
  expect((await askApi('POST', `/runs/${runId}/cancel`, { key })).status).toBe(202)
  expect(foldRun(await collect(site.admin, runId)).end?.reason).toBe('cancelled')
  expect(row?.runId).toBe(runId)

  const ofConfiguration = await addKey({ configurations: [site.configuration] })
  const { runId: others } = await start(site, '[[say: done]]')
  await collect(site.admin, others)
  expect((await askApi('GET', `/runs/${others}`, { key: ofConfiguration })).status).toBe(200)
  expect((await askApi('GET', `/runs/${others}/events`, { key: ofConfiguration })).status).toBe(200)
})

test('a limited key starts no member of a panel with a configuration beyond its limits', async () => {
  const second = await otherConfiguration()
  const key = await addKey({ configurations: [site.configuration] })
  const json = { configurations: [site.configuration, second], prompt: '[[say: done]]' }
  const answer = await askApi('POST', '/panels', { key, json })
  const { panelId } = await answer.json()
  const { id: beyond } = await db().configuration.findFirstOrThrow({
    where: { identifier: second },
  })
  expect(await db().run.count({ where: { configurationId: beyond } })).toBe(0)
  expect([answer.status, typeof panelId]).toEqual([202, 'string'])
  expect((await askApi('GET', `/panels/${panelId}`, { key })).status).toBe(200)
})

test('a limited key sees no panel, conversation, file or write of other runs', async () => {
  const key = await addKey({ tools: ['get_runtime_info'] })
  const wide = await apiKeyOf(site.admin, ...scopes)
  const seen = async (path: string) => [
    (await askApi('GET', path, { key })).status,
    (await askApi('GET', path, { key: wide })).status,
  ]
  const second = await otherConfiguration()
  const panel = { configurations: [site.configuration, second], prompt: '[[say: done]]' }
  const { panelId } = await (await askApi('POST', '/panels', { key: wide, json: panel })).json()
  expect(await seen(`/panels/${panelId}`)).toEqual([404, 200])
  const { panels } = await (await askApi('GET', '/panels', { key })).json()
  expect(panels).toEqual([])
  for (const [method, what, json] of [
    ['POST', 'stop', {}],
    ['PUT', 'choice', { runId: null, note: 'mine' }],
    ['PUT', 'cost-cap', { choice: 'ignore' }],
  ] as const) {
    expect((await askApi(method, `/panels/${panelId}/${what}`, { key, json })).status).toBe(404)
  }

  const { runId: first } = await start(site, '[[say: one]]')
  await collect(site.admin, first)
  const { runId: next } = await start(site, '[[say: two]]', { continues: first })
  await collect(site.admin, next)
  const conversations = async (as: string) =>
    (await (await askApi('GET', '/conversations', { key: as })).json()).conversations.map(
      ({ id }: { id: string }) => id,
    )
  expect(await conversations(wide)).toContain(first)
  expect(await conversations(key)).toEqual([])
  const rename = { title: 'Mine' }
  const path = `/conversations/${first}`
  expect((await askApi('PATCH', path, { key, json: rename })).status).toBe(404)
  expect((await askApi('DELETE', path, { key })).status).toBe(404)
  expect((await askApi('PATCH', path, { key: wide, json: rename })).status).toBe(204)

  const upload = await askApi('POST', '/files?name=a.txt', { key: wide, body: 'secret of a run' })
  const { id: fileId } = await upload.json()
  const { runId: withFile } = await start(site, '[[say: read]]', { files: [{ id: fileId }] })
  await collect(site.admin, withFile)
  expect(await seen(`/files/${fileId}/content`)).toEqual([404, 200])

  const { id: workspaceId } = await db().workspace.create({
    data: { name: 'notes', folder: '/srv/notes', realFolder: '/srv/notes', createdByLabel: 'test' },
  })
  const write = await db().fileVersion.create({
    data: {
      workspaceId,
      path: 'a.md',
      before: 'Before\n',
      beforeBytes: 7,
      beforeHash: hashOf('Before\n'),
      afterHash: hashOf('After\n'),
      runId: first,
      callId: 'c1',
      userId: site.admin.actor.userId,
      userLabel: 'admin',
    },
  })
  expect(await seen(`/file-writes/${write.id}`)).toEqual([404, 200])
  const writes = async (as: string) =>
    (await (await askApi('GET', `/workspaces/${workspaceId}`, { key: as })).json()).workspace.writes
      .length
  expect([await writes(key), await writes(wide)]).toEqual([0, 1])
})

test('a limited key deletes no notes of other people', async () => {
  const key = await addKey({ tools: ['get_runtime_info'] })
  const { userId } = (await addPerson('member')).actor
  const { id: configurationId } = await db().configuration.findFirstOrThrow()
  await addNote(db(), { userId, configurationId }, { text: 'Mine', runId: null })
  const { status } = await askApi('DELETE', `/memory?userId=${userId}`, { key })
  expect([status, await db().memoryNote.count({ where: { userId } })]).toEqual([403, 1])
})

test('a limited key reads the usage of its own runs alone', async () => {
  const { runId } = await start(site, '[[say: mine]]')
  await collect(site.admin, runId)
  const whole = await apiKeyOf(site.admin, 'usage:read')
  const own = await addKey({ tools: ['get_runtime_info'] })
  const requests = async (key: string) => {
    const { totals } = (await (await askApi('GET', '/usage', { key })).json()) as {
      totals: { calls: number }
    }
    return totals.calls
  }
  expect(await requests(whole)).toBeGreaterThan(0)
  expect(await requests(own)).toBe(0)
  const other = await askApi('GET', `/usage?apiKey=${crypto.randomUUID()}`, { key: own })
  expect(other.status).toBe(403)
})
