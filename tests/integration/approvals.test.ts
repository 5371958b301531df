import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { resetPassword } from '@/lib/domains/users/sign-in-verbs'
import { waitsOf } from '@/lib/protocol/run/work-time'
import {
  type ApprovalRow,
  countPendingApprovals,
  listApprovals,
} from '@/lib/runs/approvals/list-approvals'
import type { Engine } from '@/lib/runs/engine/engine'
import { listRuns } from '@/lib/runs/lists/list-runs'
import { RunFilter } from '@/lib/runs/schemas'
import { cancelRun } from '@/lib/runs/verbs'
import {
  type ApprovalSite,
  append,
  decide,
  finish,
  openApprovalSite,
  startAndWait,
  startOne,
} from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { promised } from '@/tests/support/promised'
import { collect } from '@/tests/support/run-site'
import { startWorker } from '@/tests/support/start-worker'
import { quickTimes } from '@/tests/support/test-engine'
import { toolgate } from '@/tests/support/toolgate-process'

let site: ApprovalSite
let engine: Engine | undefined

beforeAll(async () => {
  site = await openApprovalSite()
})

afterEach(() => site.removeRules())
afterAll(() => site.close())

const rowOf = (row: ApprovalRow) =>
  db().approval.findUniqueOrThrow({ where: { id: row.approvalId } })
const statusOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).status

describe('a process that is killed', () => {
  test('leaves a run that no approval continues after a freeze, however soon that was lifted', async () => {
    const worker = await startWorker()
    await site.addRule()
    const before = await site.writtenLines()
    const row = await startOne(site, append('after the freeze'))
    // As if every notification came late.
    const gone = once(worker, 'exit')
    worker.kill('SIGKILL')
    await gone
    await freezeSite(site.admin, { reason: 'A leak' })
    await unfreezeSite(site.admin, {})
    const approved = decide(site.admin, row, { type: 'approve', message: '' })
    await expect(approved).rejects.toThrow('its run is ending')
    const next = await site.startEngine()
    const state = await finish(site.admin, row.runId)
    expect(state.end).toMatchObject({
      reason: 'frozen',
      message: expect.stringContaining('A leak'),
    })
    await next.close()
    expect(await site.writtenLines()).toEqual(before)
  })

  test('leaves a run that waits; what was said meanwhile counts in the next one', async () => {
    const worker = await startWorker()
    await site.addRule()
    const prompt = append('as the model wrote it')
    const row = await startOne(site, prompt)
    const gone = once(worker, 'exit')
    worker.kill('SIGKILL')
    await gone
    expect(await statusOf(row.runId)).toBe('waiting')
    const argumentsText = '{"text":"as a person wrote it"}'
    await decide(site.admin, row, { type: 'edit', argumentsText, message: 'Softer.' })

    engine = await site.startEngine()
    const state = await finish(site.admin, row.runId)
    expect(state.end?.reason).toBe('completed')
    expect(await site.writtenLines()).toEqual(['as a person wrote it'])
    const call = state.rounds[0]?.calls[0]
    expect(call?.argumentsText).toBe('{"text":"as the model wrote it"}')
    expect(call?.approval?.decision).toMatchObject({
      type: 'edited',
      by: site.admin.actor.email,
      argumentsText,
    })
    expect(site.lastRequestOf(prompt)).toContain('A person changed the arguments of this call')
    expect(state.waitingSince).toBeNull()
    expect(state.waitedMs).toBeGreaterThan(0)
    // The list has no journal, and says the same.
    const { rows } = await listRuns(site.admin, RunFilter.parse({}))
    expect(rows.find(({ runId }) => runId === row.runId)).toMatchObject(waitsOf(state))
  })
})

describe('a call that waits', () => {
  beforeAll(async () => {
    engine ??= await site.startEngine()
  })

  test('ends with its run when the password of its account is reset', async () => {
    await site.addRule()
    const owner = { ...site, admin: await addPerson('admin') }
    const before = await site.writtenLines()
    const row = await startOne(owner, append('never'))
    await resetPassword(site.admin, { userId: owner.admin.actor.userId, reason: 'stolen' })
    const state = await finish(site.admin, row.runId)
    expect(state.end).toMatchObject({ reason: 'revoked', message: expect.stringMatching(/reset/) })
    expect(await site.writtenLines()).toEqual(before)
  })

  test('lets none of its round begin, each is decided alone, and the no has its reason', async () => {
    await site.addRule()
    const before = await site.writtenLines()
    const prompt =
      '[[call append_line {"text":"yes"}]] [[call list_groups {}]] [[call append_line {"text":"no"}]] [[then]] [[say: done]]'
    const { runId, approvals } = await startAndWait(site, prompt, 2)
    expect(await statusOf(runId)).toBe('waiting')
    expect(await countPendingApprovals(site.admin)).toBe(2)
    const [yes, no] = ['yes', 'no'].map((text) =>
      approvals.find((row) => row.argumentsText === `{"text":"${text}"}`),
    )
    if (!yes || !no) throw new Error('Both calls wait.')
    expect(yes).toMatchObject({
      toolName: 'append_line',
      ruleName: 'Writes',
      round: 1,
      userEmail: site.admin.actor.email,
      mayDecide: { allowed: true },
    })
    await decide(site.admin, yes, { type: 'approve', message: '' })
    await collect(site.admin, runId, { until: (event) => event.type === 'approval-decision' })
    expect(await statusOf(runId)).toBe('waiting')
    expect(await site.writtenLines()).toEqual(before)
    await decide(site.admin, no, { type: 'deny', message: 'Not on a Friday' })
    const state = await finish(site.admin, runId)
    expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
      { outcome: { type: 'ok' } },
      { outcome: { type: 'ok' } },
      { outcome: { type: 'denied', gate: 'approval' }, verdict: { gate: 'approval' } },
    ])
    expect(await site.writtenLines()).toEqual([...before, 'yes'])
    expect(site.lastRequestOf(prompt)).toContain('refused this call and says: Not on a Friday')
    expect(await statusOf(runId)).toBe('ended')
    const audit = await db().auditEntry.findMany({
      where: { objectId: { in: [yes.approvalId, no.approvalId] } },
      orderBy: { at: 'asc' },
    })
    expect(audit.map(({ action, reason }) => ({ action, reason }))).toEqual([
      { action: 'approval.approve', reason: '' },
      { action: 'approval.deny', reason: 'Not on a Friday' },
    ])
  })

  test('is shown with the words of its tool, and what its run did and read before', async () => {
    await site.addRule()
    const row = await startOne(
      site,
      '[[call list_groups {}]] [[call append_line {"text":7}]] [[then]] [[call append_line {"text":"x"}]] [[then]] [[say: done]]',
    )
    expect(row.context).toEqual({
      parameters: expect.objectContaining({ required: ['text'] }),
      calls: expect.arrayContaining([
        expect.objectContaining({ toolName: 'list_groups', outcome: 'ok' }),
        expect.objectContaining({ toolName: 'append_line', outcome: 'invalid-arguments' }),
      ]),
      callCount: 2,
      notesInPrompt: 0,
      untrusted: [],
      edits: [],
      fixed: [],
    })
    await decide(site.admin, row, { type: 'approve', message: '' })
    await finish(site.admin, row.runId)
    await site.removeRules()

    await site.addRule({ conditions: [{ path: '$.text', operator: 'equals', value: 'second' }] })
    const after = await startOne(
      site,
      '[[call append_line {"text":"first"}]] [[then]] [[call append_line {"text":"second"}]] [[then]] [[say: done]]',
    )
    const [read] = after.context?.calls ?? []
    expect(after.context?.untrusted).toEqual([
      { callId: read?.callId, toolName: 'append_line', turn: after.runId, server: null },
    ])
    const shown = await toolgate(['approval', 'show', after.approvalId])
    expect(shown.stdout).toMatch(/calls before +append_line \(ok\)/)
    expect(shown.stdout).toMatch(/untrusted reads +append_line/)
    await decide(site.admin, after, { type: 'deny', message: '' })
    await finish(site.admin, after.runId)
    const { approvals } = await listApprovals(site.admin, { status: 'decided' })
    expect(approvals.find(({ runId }) => runId === after.runId)?.context).toBeNull()
  })

  test('takes one answer of two at once, and no answer for other arguments or twice', async () => {
    await site.addRule()
    const row = await startOne(site, append('once'))
    const other = await addPerson('admin')
    const forged = { ...row, argumentsHash: 'f'.repeat(64) }
    await expect(
      decide(site.admin, forged, { type: 'approve', message: '' }),
    ).rejects.toMatchObject({
      status: 409,
    })
    const bad = { type: 'edit', argumentsText: '{"text":7,"more":1}', message: '' } as const
    await expect(decide(site.admin, row, bad)).rejects.toMatchObject({
      status: 422,
      fields: { argumentsText: expect.stringContaining('text') },
    })
    const answers = await Promise.allSettled([
      decide(site.admin, row, { type: 'approve', message: '' }),
      decide(other, row, { type: 'deny', message: '' }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409 },
    })
    await finish(site.admin, row.runId)
    await expect(decide(site.admin, row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
    const count = await db().auditEntry.count({ where: { objectId: row.approvalId } })
    expect(count).toBe(1)
  })

  test('expires into a no', async () => {
    await site.addRule()
    const before = await site.writtenLines()
    const row = await startOne(site, append('too late'))
    const past = new Date(Date.now() - 1_000)
    await db().approval.update({ where: { id: row.approvalId }, data: { expiresAt: past } })
    await expect(decide(site.admin, row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
    const state = await finish(site.admin, row.runId)
    expect(state.rounds[0]?.calls[0]).toMatchObject({
      approval: { decision: { type: 'expired' } },
      state: { outcome: { type: 'denied', gate: 'approval' } },
    })
    expect(await rowOf(row)).toMatchObject({ status: 'expired', decidedBy: null })
    expect(await site.writtenLines()).toEqual(before)
  })

  test('does not spin while its expiry cannot be written, and ends once it can', async () => {
    await site.addRule()
    const row = await startOne(site, append('cannot expire'))
    const change = (statement: string) => db().$executeRawUnsafe(statement)
    await change('DROP SEQUENCE IF EXISTS tries')
    await change('CREATE SEQUENCE tries')
    await change(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.status = 'expired' THEN PERFORM nextval('tries'); RAISE EXCEPTION 'read-only'; END IF;
      RETURN NEW; END $$`)
    await change(
      'CREATE TRIGGER refuse BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION refuse()',
    )
    const past = new Date(Date.now() - 1_000)
    await db().approval.update({ where: { id: row.approvalId }, data: { expiresAt: past } })
    const tries = async () =>
      (await db().$queryRaw<{ is_called: boolean; last_value: bigint }[]>`SELECT * FROM tries`)[0]
    const many = { interval: 20 }
    await expect.poll(tries, many).toMatchObject({ is_called: true })
    const startedAt = Date.now()
    await expect.poll(async () => Number((await tries())?.last_value), many).toBeGreaterThan(2)
    expect(Date.now() - startedAt).toBeGreaterThan(1.5 * (quickTimes.retryMs ?? 0))
    await change('DROP TRIGGER refuse ON approvals')
    const state = await finish(site.admin, row.runId)
    expect(state.rounds[0]?.calls[0]).toMatchObject({ approval: { decision: { type: 'expired' } } })
  })

  test.each([
    ['cancelled', (runId: string) => cancelRun(site.admin, { runId, reason: 'Enough' })],
    ['frozen', () => freezeSite(site.admin, { reason: 'Drill' })],
  ])('ends within 2 s when its run is %s, and nobody can answer any more', async (reason, stop) => {
    await site.addRule()
    const row = await startOne(site, append('never'))
    const startedAt = Date.now()
    await stop(row.runId)
    const state = await finish(site.admin, row.runId)
    if (reason === 'frozen') await unfreezeSite(site.admin, { reason: '' })
    expect(state.end?.reason).toBe(reason)
    expect((state.end?.at ?? 0) - startedAt).toBeLessThan(promised(2_000))
    expect(await rowOf(row)).toMatchObject({ status: 'void' })
    await expect(decide(site.admin, row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
  })

  test('goes on in another process when its own is drained', async () => {
    await site.addRule()
    const row = await startOne(site, append('handed over'))
    await engine?.close()
    await startWorker()
    const { instanceId } = await db().run.findUniqueOrThrow({ where: { id: row.runId } })
    expect(instanceId).not.toBe(engine?.instanceId)
    await decide(site.admin, row, { type: 'approve', message: '' })
    expect((await finish(site.admin, row.runId)).end?.reason).toBe('completed')
    expect(await site.writtenLines()).toContain('handed over')
  })
})
