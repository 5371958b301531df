import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApprovalFilter } from '@/lib/domains/approvals/schemas'
import type { CheckDetail } from '@/lib/domains/checks/schemas'
import { updateCheck } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { CheckMode } from '@/lib/protocol/check/check'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { readApprovals } from '@/lib/runs/approvals/list-approvals'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runSuite } from '@/lib/runs/checks/start-check'
import { readRun } from '@/lib/runs/read-run'
import { approvalSiteOfFile, decide } from '@/tests/support/approval-site'
import { changedAssertion } from '@/tests/support/changed-assertion'
import { askedWord, decisions, recordEveryKind } from '@/tests/support/every-kind'
import { recordRefused } from '@/tests/support/refused-kinds'

const site = approvalSiteOfFile()
let recorded: Awaited<ReturnType<typeof recordEveryKind>>
const saved: { kind: string; by: Ctx; state: RunState; check: CheckDetail }[] = []
const unsaved: Record<string, string> = {}

beforeAll(async () => {
  const conditions = [{ path: '$.text', operator: 'contains' as const, value: askedWord }]
  await site.addRule({ conditions })
  recorded = await recordEveryKind(site, { most: 1 })
  const runs = [
    // This kind hangs until its provider times out. Another stopped run is among the refused ones.
    ...recorded.runs
      .filter(({ kind }) => kind !== 'calculate, then stopped')
      .map((run) => ({ ...run, by: site.admin })),
    ...(await recordRefused(site)),
  ]
  for (const [place, { kind, runId, by }] of runs.entries()) {
    const state = foldRun((await readRun(by, runId)).events)
    try {
      const named = { name: `${kind} ${place}`, suites: [suiteOf(by)] }
      saved.push({ kind, by, state, check: await saveCheck(by, { runId, ...named }) })
    } catch (error) {
      unsaved[kind] = String(error)
    }
  }
})
afterAll(() => recorded.close())

const writes = new Set(['append_line', 'spawn_run'])
const suiteOf = ({ actor }: Ctx) => `Every kind of ${actor.email}`

/** Decides the calls that wait as those of the recorded runs were decided. */
async function decideWaiting(ctx: Ctx): Promise<void> {
  const { approvals } = await readApprovals(ctx, ApprovalFilter.parse({ pageSize: 100 }))
  for (const row of approvals) {
    const number = Number(/please (\d+)/.exec(JSON.stringify(row))?.[1] ?? 0)
    await decide(ctx, row, decisions[number] ?? { type: 'approve', message: '' })
  }
}

/** Runs all checks, each by the person who saved it, and returns their tries by the id of the check. */
async function runAll(mode: CheckMode) {
  const people = [...new Set(saved.map(({ by }) => by))]
  const tries = await Promise.all(
    people.map(async (by) => {
      const { checkRunId } = await runSuite(by, { suite: suiteOf(by), mode })
      for (;;) {
        const { endedAt, results } = await readCheckRun(by, { id: checkRunId })
        if (endedAt !== null) return results
        if (by === site.admin) await decideWaiting(by)
        await wait(100)
      }
    }),
  )
  return new Map(tries.flat().map((each) => [each.checkId, each]))
}

/** Returns what is not green. */
async function redOf(mode: CheckMode) {
  const tries = await runAll(mode)
  return saved.flatMap(({ kind, check }) => {
    const { verdict = null, reason, judged } = tries.get(check.id) ?? {}
    if (verdict === 'passed') return []
    const red = judged?.filter(({ passed }) => !passed).map(({ sentence }) => sentence)
    return [{ kind, verdict, reason, red }]
  })
}

test('of every kind of run, a check can be saved, or the refusal says why', () => {
  expect(saved.length).toBeGreaterThanOrEqual(50)
  expect(unsaved).toEqual({
    'a later turn': expect.stringContaining('It continues a conversation'),
    'a child': expect.stringContaining('Another run started it'),
    'calculate in a panel': expect.stringContaining('The run belongs to a panel'),
  })
})

test('each check is green at once with its recordings', async () => {
  expect(await redOf('recorded')).toEqual([])
})

test('each check is green live: reads are called, and writes are those that stay recorded', async () => {
  const lines = await site.writtenLines()
  expect(await redOf('live')).toEqual([])
  expect(await site.writtenLines()).toEqual(lines)
  const written = saved.filter(({ check }) => check.recordings.some(({ tool }) => writes.has(tool)))
  expect(written.map(({ kind }) => kind).toSorted()).toEqual([
    'a decided call: approve',
    'a decided call: edit',
    'a parent',
    'writes',
  ])
})

test('each check is red once its first value is changed, with that assertion alone', async () => {
  for (const { by, check, state } of saved) {
    const [first, ...rest] = check.assertions
    const changed = first && changedAssertion(first, state)
    if (!changed) throw new Error(`${check.name} has no first value.`)
    await updateCheck(by, { id: check.id, assertions: [changed, ...rest] })
  }
  const tries = await runAll('recorded')
  const found = saved.map(({ kind, check }) => {
    const { judged, verdict, reason } = tries.get(check.id) ?? {}
    const red = judged?.flatMap(({ passed, sentence }, at) => (passed ? [] : [[at, sentence]]))
    return { kind, verdict, reason, red }
  })
  const sentence = expect.stringMatching(/^[“\w].{8,}\.$/s)
  expect(found).toEqual(
    saved.map(({ kind }) =>
      // No model answered, so nothing of it is judged unless its end is the one that is asserted.
      kind === 'a refusal' || kind === 'retries'
        ? { kind, verdict: 'not-run', reason: sentence, red: [] }
        : { kind, verdict: 'failed', reason: '', red: [[0, sentence]] },
    ),
  )
})
