import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApprovalRule } from '@/lib/approvals/create-approval-rule'
import { deleteApprovalRule } from '@/lib/approvals/delete-approval-rule'
import { listApprovalRules } from '@/lib/approvals/list-approval-rules'
import { ApprovalFilter, type ApprovalRuleInput } from '@/lib/approvals/schemas'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import { foldRun } from '@/lib/protocol/fold-run'
import type { RunEvent } from '@/lib/protocol/run-event'
import { cancelRun } from '@/lib/runs/cancel-run'
import { decideApproval } from '@/lib/runs/decide-approval'
import { startEngine } from '@/lib/runs/engine'
import { countPendingApprovals, listApprovals } from '@/lib/runs/list-approvals'
import type { Engine } from '@/lib/runs/running-engine'
import { closeWake } from '@/lib/runs/wake'
import { freezeSite } from '@/lib/settings/freeze-site'
import { unfreezeSite } from '@/lib/settings/unfreeze-site'
import { turnOfPrompt } from '../support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from '../support/model-server/start-model-server'
import { addPerson } from '../support/people'
import { addRunSite, collect, type RunSite, start } from '../support/run-site'
import { startWorker } from '../support/start-worker'

let server: ModelServer
let site: RunSite
let engine: Engine | undefined
let folder: string
let lines: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolgate-approvals-'))
  lines = path.join(folder, 'lines.txt')
  Object.assign(process.env, {
    TOOLGATE_EXTRA_TOOLS_DIR: path.resolve('tests/support/extra-tools'),
    TOOLGATE_TEST_APPEND_FILE: lines,
  })
  server = await startModelServer({ script: turnOfPrompt })
  site = await addRunSite(server.url)
})

afterEach(async () => {
  for (const rule of await listApprovalRules(site.admin)) {
    await deleteApprovalRule(site.admin, rule.id)
  }
})

afterAll(async () => {
  await engine?.drain()
  await closeWake()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const writtenLines = async () =>
  (await readFile(lines, 'utf8').catch(() => '')).split('\n').filter(Boolean)

const append = (text: string) =>
  `[[call append_line {"text":"${text}"}]] [[then]] [[say: that is all]]`

function addRule(rule: Partial<ApprovalRuleInput> = {}) {
  return createApprovalRule(site.admin, { name: 'Writes', toolName: 'append_line', ...rule })
}

/** Starts a run and resolves when it waits for `calls` words, with what the inbox says of them. */
async function startAndWait(prompt: string, calls = 1, as: Ctx = site.admin) {
  const { runId } = await start({ ...site, admin: as }, prompt)
  let asked = 0
  const until = (event: RunEvent) => event.type === 'approval-request' && ++asked === calls
  await collect(as, runId, { until })
  return { runId, approvals: await pendingOf(runId, as) }
}

async function pendingOf(runId: string, as: Ctx = site.admin) {
  const { rows } = await listApprovals(as, ApprovalFilter.parse({ pageSize: 100 }))
  return rows.filter((row) => row.runId === runId)
}

type Row = Awaited<ReturnType<typeof pendingOf>>[number]

/** The one call that waits. */
async function startOne(prompt: string): Promise<Row> {
  const { approvals } = await startAndWait(prompt)
  const [only] = approvals
  if (!only || approvals.length > 1) throw new Error(`${approvals.length} calls wait.`)
  return only
}

type Decision = Parameters<typeof decideApproval>[1]['decision']

function decide(row: Row, decision: Decision, as: Ctx = site.admin) {
  const { approvalId, argumentsHash } = row
  return decideApproval(as, { approvalId, argumentsHash, decision })
}

const finish = async (runId: string) => foldRun(await collect(site.admin, runId))
const rowOf = (row: Row) => db().approval.findUniqueOrThrow({ where: { id: row.approvalId } })
const statusOf = async (runId: string) =>
  (await db().run.findUniqueOrThrow({ where: { id: runId } })).status
const requestsOf = (prompt: string) =>
  JSON.stringify(server.requests.filter((request) => request.prompt === prompt).at(-1))

describe('a process that is killed', () => {
  test('leaves a run that waits; what was said meanwhile counts in the next one', async () => {
    const worker = await startWorker()
    await addRule()
    const prompt = append('as the model wrote it')
    const row = await startOne(prompt)
    const gone = once(worker, 'exit')
    worker.kill('SIGKILL')
    await gone
    expect(await statusOf(row.runId)).toBe('waiting')
    const argumentsText = '{"text":"as a person wrote it"}'
    await decide(row, { type: 'edit', argumentsText, message: 'Softer.' })

    engine = await startEngine('server')
    const state = await finish(row.runId)
    expect(state.end?.reason).toBe('completed')
    expect(await writtenLines()).toEqual(['as a person wrote it'])
    const call = state.rounds[0]?.calls[0]
    expect(call?.argumentsText).toBe('{"text":"as the model wrote it"}')
    expect(call?.approval?.decision).toMatchObject({
      type: 'edited',
      by: site.admin.actor.email,
      argumentsText,
    })
    expect(requestsOf(prompt)).toContain('A person changed the arguments of this call')
    expect(state.waitingSince).toBeNull()
    expect(state.waitedMs).toBeGreaterThan(0)
  }, 60_000)
})

describe('a call that waits', () => {
  test('lets none of its round begin, each is decided alone, and the no has its reason', async () => {
    await addRule()
    const before = await writtenLines()
    const prompt =
      '[[call append_line {"text":"yes"}]] [[call list_groups {}]] [[call append_line {"text":"no"}]] [[then]] [[say: done]]'
    const { runId, approvals } = await startAndWait(prompt, 2)
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
    await decide(yes, { type: 'approve', message: '' })
    await collect(site.admin, runId, { until: (event) => event.type === 'approval-decision' })
    expect(await statusOf(runId)).toBe('waiting')
    expect(await writtenLines()).toEqual(before)
    await decide(no, { type: 'deny', message: 'Not on a Friday' })
    const state = await finish(runId)
    expect(state.rounds[0]?.calls.map((call) => call.state)).toMatchObject([
      { outcome: { type: 'ok' } },
      { outcome: { type: 'ok' } },
      { outcome: { type: 'denied', gate: 'approval' }, verdict: { gate: 'approval' } },
    ])
    expect(await writtenLines()).toEqual([...before, 'yes'])
    expect(requestsOf(prompt)).toContain('refused this call and says: Not on a Friday')
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

  test('takes one answer of two at once, and no answer for other arguments or twice', async () => {
    await addRule()
    const row = await startOne(append('once'))
    const other = await addPerson('admin')
    const forged = { ...row, argumentsHash: 'f'.repeat(64) }
    await expect(decide(forged, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
    const bad = { type: 'edit', argumentsText: '{"text":7,"more":1}', message: '' } as const
    await expect(decide(row, bad)).rejects.toMatchObject({
      status: 422,
      fields: { argumentsText: expect.stringContaining('text') },
    })
    const answers = await Promise.allSettled([
      decide(row, { type: 'approve', message: '' }),
      decide(row, { type: 'deny', message: '' }, other),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409 },
    })
    await finish(row.runId)
    await expect(decide(row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
    const count = await db().auditEntry.count({ where: { objectId: row.approvalId } })
    expect(count).toBe(1)
  })

  test('expires into a no', async () => {
    await addRule()
    const before = await writtenLines()
    const row = await startOne(append('too late'))
    const past = new Date(Date.now() - 1_000)
    await db().approval.update({ where: { id: row.approvalId }, data: { expiresAt: past } })
    await expect(decide(row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
    const state = await finish(row.runId)
    expect(state.rounds[0]?.calls[0]).toMatchObject({
      approval: { decision: { type: 'expired' } },
      state: { outcome: { type: 'denied', gate: 'approval' } },
    })
    expect(await rowOf(row)).toMatchObject({ status: 'expired', decidedBy: null })
    expect(await writtenLines()).toEqual(before)
  })

  test.each([
    ['cancelled', (runId: string) => cancelRun(site.admin, runId, 'Enough')],
    ['frozen', () => freezeSite(site.admin, { reason: 'Drill' })],
  ])('ends within 2 s when its run is %s, and nobody can answer any more', async (reason, stop) => {
    await addRule()
    const row = await startOne(append('never'))
    const startedAt = Date.now()
    await stop(row.runId)
    const state = await finish(row.runId)
    if (reason === 'frozen') await unfreezeSite(site.admin, { reason: '' })
    expect(Date.now() - startedAt).toBeLessThan(2_000)
    expect(state.end?.reason).toBe(reason)
    expect(await rowOf(row)).toMatchObject({ status: 'void' })
    await expect(decide(row, { type: 'approve', message: '' })).rejects.toMatchObject({
      status: 409,
    })
  })

  test('goes on in another process when its own is drained', async () => {
    await addRule()
    const row = await startOne(append('handed over'))
    await engine?.drain()
    const worker = await startWorker()
    try {
      const { instanceId } = await db().run.findUniqueOrThrow({ where: { id: row.runId } })
      expect(instanceId).not.toBe(engine?.instanceId)
      await decide(row, { type: 'approve', message: '' })
      expect((await finish(row.runId)).end?.reason).toBe('completed')
      expect(await writtenLines()).toContain('handed over')
    } finally {
      worker.kill('SIGKILL')
    }
  })
})
