import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AuditFilter } from '@/lib/domains/audit/audit-filter'
import { listAudit } from '@/lib/domains/audit/list-audit'
import { flushRefusals } from '@/lib/domains/audit/record-refusal'
import { serverVerbs } from '@/lib/domains/servers/verbs'
import { limitApiKey } from '@/lib/joined-verbs'
import { pool } from '@/lib/kernel/db'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { revokeKey } from '@/lib/runs/verbs'
import { checkServer } from '@/lib/toolset/servers/check'
import { closeServers } from '@/lib/toolset/servers/server-pool'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { type ApprovalSite, openApprovalSite, untilWaiting } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { scriptedAddress, textTool } from '@/tests/support/mcp/script'
import { acceptServer } from '@/tests/support/mcp/server-site'
import { turnOfPrompt } from '@/tests/support/model-server/prompt-directives'
import type { ScriptedCall } from '@/tests/support/model-server/scripted-turn'
import { addPerson } from '@/tests/support/people'
import { collect } from '@/tests/support/run-site'
import { readRows } from '@/tests/support/test-database'

// docs/attacks.md says what each of these is about. The model asks for whatever the attacker wants.

let site: ApprovalSite
let key: string
/** Tool calls of the model's first round, exactly as they are here; null: those in the prompt. */
let wanted: ScriptedCall[] | null = null
/** Done while the model answers. */
let meanwhile: (() => Promise<unknown>) | null = null

beforeAll(async () => {
  site = await openApprovalSite(async (request) => {
    await meanwhile?.()
    meanwhile = null
    if (wanted === null) return turnOfPrompt(request)
    return request.round === 0 ? { calls: wanted } : { text: 'Done.' }
  })
  await db().configuration.updateMany({ data: { afterUntrusted: 'allow' } })
  await site.startEngine()
  key = await apiKeyOf(site.admin, 'runs:write', 'runs:read', 'tools:read', 'tools:write')
})

beforeEach(async () => {
  wanted = null
  await site.removeRules()
})

afterAll(async () => {
  await closeServers()
  await site.close()
})

const call = (name: string, args: object | string): ScriptedCall => ({
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

/** Starts a run over HTTP whose model asks for these calls. */
async function startRun(calls: ScriptedCall[], fields: object = {}, as = key): Promise<string> {
  wanted = calls
  const json = { configuration: site.configuration, prompt: 'Do as you like.', ...fields }
  const response = await askApi('POST', '/runs', { key: as, json })
  expect(response.status).toBe(202)
  return (await response.json()).runId
}

async function attack(calls: ScriptedCall[], fields: object = {}, as = key): Promise<RunState> {
  const runId = await startRun(calls, fields, as)
  return foldRun(await collect(site.admin, runId))
}

const outcomes = (run: RunState) =>
  run.rounds.flatMap(({ calls }) =>
    calls.map(({ state }) => (state.type === 'ended' ? state.outcome : null)),
  )

describe('the way in', () => {
  test.each([
    ['text that is no JSON', 400, 'application/json', 'prompt=write'],
    ['JSON that breaks off', 400, 'application/json', '{"configuration":"SITE","prompt":"a"'],
    ['JSON that is called text', 415, 'text/plain', '{"configuration":"SITE","prompt":"a"}'],
    ['a list', 422, 'application/json', '[{"configuration":"SITE","prompt":"a"}]'],
    ['nothing', 400, 'application/json', ''],
  ])(
    'a body that is %s is refused (%s) before anything happens',
    async (_what, status, type, text) => {
      const before = await db().run.count()
      const body = text.replace('SITE', site.configuration)
      const input = { key, headers: { 'content-type': type }, body }
      expect((await askApi('POST', '/runs', input)).status).toBe(status)
      const { status: tried } = await askApi('POST', '/tools/append_line/call', input)
      expect([400, 415, 422]).toContain(tried)
      expect(await db().run.count()).toBe(before)
      expect(await site.writtenLines()).toEqual([])
    },
  )

  test('trying a tool is no second way in: the gates answer there, too', async () => {
    await switchTool(site.admin, { name: 'append_line', enabled: false, reason: 'closed' })
    const json = { arguments: { text: 'second way' }, configuration: site.configuration }
    const dry = { ...json, dryRun: true }
    const tried = await askApi('POST', '/tools/append_line/call', { key, json: dry })
    expect(await tried.json()).toMatchObject({ verdict: { allowed: false, gate: 'enabled' } })
    const made = await askApi('POST', '/tools/append_line/call', { key, json })
    const { runId } = await made.json()
    const denied = { type: 'denied', gate: 'enabled' }
    expect(outcomes(foldRun(await collect(site.admin, runId)))).toMatchObject([denied])
    const member = await apiKeyOf(await addPerson('member'), 'runs:write')
    const theirs = await askApi('POST', '/tools/append_line/call', { key: member, json: dry })
    expect(theirs.status).toBe(403)
    const run = await attack([call('append_line', { text: 'second way' })], {
      tools: ['append_line'],
    })
    expect(outcomes(run)).toMatchObject([{ type: 'denied', gate: 'enabled' }])
    await switchTool(site.admin, { name: 'append_line', enabled: true })
    expect(await site.writtenLines()).toEqual([])
  })

  test('a key that is revoked opens nothing with the very next request, and its runs end', async () => {
    const token = await apiKeyOf(site.admin, 'runs:write', 'runs:read')
    const { id } = await db().apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } })
    const runId = await startRun([call('slow_read', { ms: 100_000 })], {}, token)
    await collect(site.admin, runId, { until: ({ type }) => type === 'call-start' })
    await revokeKey(site.admin, { keyId: id })
    expect((await askApi('GET', '/tools', { key: token })).status).toBe(401)
    const run = foldRun(await collect(site.admin, runId))
    expect(run.end?.reason).toBe('cancelled')
    expect(outcomes(run)).toMatchObject([{ type: 'cancelled' }])
  })

  test('what is refused is in the audit log, with who asked', async () => {
    const reader = await apiKeyOf(site.admin, 'runs:read')
    const json = { configuration: site.configuration, prompt: 'not with this key' }
    expect((await askApi('POST', '/runs', { key: reader, json })).status).toBe(403)
    await flushRefusals()
    const { rows } = await listAudit(site.admin, AuditFilter.parse({ kind: 'refusal' }))
    expect(rows).toContainEqual(
      expect.objectContaining({ actorId: site.admin.actor.userId, kind: 'refusal' }),
    )
  })
})

describe('what is offered and called', () => {
  test('a tool that a key may not use is hidden, and calling it by name is refused', async () => {
    const token = await apiKeyOf(site.admin, 'runs:write', 'runs:read')
    const { id } = await db().apiKey.findFirstOrThrow({ orderBy: { id: 'desc' } })
    await limitApiKey(site.admin, { id, tools: ['slow_read'] })
    const run = await attack([call('append_line', { text: 'hidden' })], {}, token)
    expect(run.rounds[0]?.offered).toEqual(['slow_read'])
    expect(outcomes(run)).toMatchObject([{ type: 'denied', gate: 'selection' }])
    expect(await site.writtenLines()).toEqual([])
  })

  test('tools that were asked for and do not exist become no others, and the run says so', async () => {
    const run = await attack([call('append_line', { text: 'instead' })], { tools: ['Append_Line'] })
    expect(run.start?.accepted).toEqual([])
    expect(run.start?.rejected).toMatchObject([{ name: 'Append_Line', gate: 'registered' }])
    expect(site.requestsOf('Do as you like.').at(-1)?.body).not.toHaveProperty('tools')
    expect(outcomes(run).filter((outcome) => outcome?.type === 'ok')).toEqual([])
    expect(await site.writtenLines()).toEqual([])
  })

  test('a rule that refuses one tool leaves the others as they were', async () => {
    await site.addRule({ name: 'No lines', action: 'deny' })
    const run = await attack([
      call('append_line', { text: 'refused' }),
      call('slow_read', { ms: 0 }),
    ])
    expect(outcomes(run)).toMatchObject([{ type: 'denied', gate: 'rule' }, { type: 'ok' }])
  })

  test('only the allowed one of three calls at once is made', async () => {
    await site.addRule({ name: 'No lines', action: 'deny' })
    const runId = await startRun([
      call('append_line', { text: 'first' }),
      call('slow_read', { ms: 0 }),
      call('get_env_raw', {}),
    ])
    const events = await collect(site.admin, runId)
    expect(outcomes(foldRun(events)).map((outcome) => outcome?.type)).toEqual([
      'denied',
      'ok',
      'denied',
    ])
    const starts = events.flatMap((event) => (event.type === 'call-start' ? event.data.name : []))
    expect(starts).toEqual(['slow_read'])
    expect(await site.writtenLines()).toEqual([])
  })

  test('while the policy cannot be read, nothing goes through', async () => {
    const rename = async (from: string, to: string) => {
      await pool().query(`ALTER TABLE ${from} RENAME TO ${to}`)
      await pool().query('UPDATE policy_version SET version = version + 1')
    }
    meanwhile = () => rename('tool_overrides', 'switches_elsewhere')
    const runId = await startRun([call('append_line', { text: 'unread' })])
    await collect(site.admin, runId, { until: ({ type }) => type === 'call-end' })
    await rename('switches_elsewhere', 'tool_overrides')
    const run = foldRun(await collect(site.admin, runId))
    expect(outcomes(run)).toMatchObject([{ type: 'denied', gate: 'state' }])
    expect(await site.writtenLines()).toEqual([])
  })

  test('what a server says of its token in an error reaches nobody', async () => {
    const secret = 'token-0123456789abcdef'
    const message = `bad token ${secret}`
    const { url, close } = await scriptedAddress({
      tools: [textTool('leak')],
      calls: { leak: { result: { content: [{ type: 'text', text: message }], isError: true } } },
    })
    try {
      const headers = `Authorization: Bearer ${secret}`
      const server = { name: 'leaky', kind: 'http' as const, url, headers }
      const { id } = await serverVerbs.create(site.admin, {
        ...server,
        privateAddressAllowed: true,
      })
      await checkServer(site.admin, { id })
      await acceptServer(site.admin, id)
      const runId = await startRun([call('leaky__leak', { text: 'x' })])
      const run = foldRun(await collect(site.admin, runId))
      expect(outcomes(run)).toMatchObject([{ type: 'failed' }])
      const shown = await askApi('GET', `/runs/${runId}`, { key })
      expect(shown.status).toBe(200)
      const stored = [...(await readRows()).values()].join()
      expect(`${await shown.text()}${stored}`).not.toContain(secret)
    } finally {
      await close()
    }
  })
})

describe('a call that waits for approval', () => {
  test('is made once it is approved, with the result in the same run', async () => {
    await site.addRule({ name: 'Lines' })
    const runId = await startRun([call('append_line', { text: 'approved' })])
    const [row] = await untilWaiting(site.admin, runId)
    expect(await site.writtenLines()).toEqual([])
    if (!row) throw new Error('Nothing waits.')
    const { approvalId, argumentsHash } = row
    const json = { argumentsHash, decision: { type: 'approve', message: '' } }
    const decider = await apiKeyOf(await addPerson('admin'), 'approvals:write')
    const decided = () => askApi('POST', `/approvals/${approvalId}`, { key: decider, json })
    const statuses = (await Promise.all([decided(), decided()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
    const run = foldRun(await collect(site.admin, runId))
    expect(outcomes(run)).toMatchObject([{ type: 'ok' }])
    expect(site.lastRequestOf('Do as you like.')).toContain('approved')
    expect(await site.writtenLines()).toEqual(['approved'])
  })
})

describe('arguments that are written so that two readers read two things', () => {
  test.each([
    ['a key twice', '{"text":"safe","text":"danger"}', 'denied'],
    ['a key twice, the other way round', '{"text":"danger","text":"safe"}', 'ok'],
    ['escapes', '{"te\\u0078t":"\\u0064anger"}', 'denied'],
    ['__proto__', '{"__proto__":{"text":"danger"},"text":"safe"}', 'invalid-arguments'],
    ['text that only __proto__ has', '{"__proto__":{"text":"danger"}}', 'invalid-arguments'],
    ['a comment', '{"text":"safe"/*,"text":"danger"*/}', 'invalid-arguments'],
    ['two values', '{"text":"safe"}{"text":"danger"}', 'invalid-arguments'],
  ])(
    '%s: what the rule reads is what the tool gets, or nothing is called',
    async (_what, text, type) => {
      const conditions = [{ path: '$.text', operator: 'starts-with' as const, value: 'danger' }]
      await site.addRule({ name: 'No danger', action: 'deny', conditions })
      const before = await site.writtenLines()
      const run = await attack([call('append_line', text)])
      expect(outcomes(run)).toMatchObject([{ type }])
      const written = (await site.writtenLines()).slice(before.length)
      expect(written).toEqual(type === 'ok' ? ['safe'] : [])
    },
  )

  test.each(['1e400', '9007199254740993'])(
    '%s, which no reader keeps, reaches no tool',
    async (number) => {
      const run = await attack([call('slow_read', `{"ms":${number}}`)])
      const issue = expect.stringContaining('has more digits than a tool can be given')
      expect(outcomes(run)).toMatchObject([{ type: 'invalid-arguments', issues: [issue] }])
    },
  )
})
