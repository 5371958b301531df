import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runSuite } from '@/lib/runs/checks/start-check'
import { type ApprovalSite, openApprovalSite } from '@/tests/support/approval-site'
import { expectLedger } from '@/tests/support/expect-ledger'
import { db } from '@/tests/support/fixture-db'
import { addJudge, judgedBy, verdict } from '@/tests/support/judge-site'
import { type Interrupted, openVictims } from '@/tests/support/kill-workers'
import { collect, start } from '@/tests/support/run-site'
import { isFullChaos, report } from '@/tests/support/writing-runs'

const kills = isFullChaos ? Math.ceil(Number(process.env.TOOLGATE_CHAOS_KILLS ?? 200) / 10) : 2
/** A server is killed between two tries, so also between an end and its verdict, or in the middle of one. */
const boundaries = ['run-end', 'any moment', 'message', 'run-end', 'call-start'] as const

const suite = 'Killed'
const checks = 6
const tries = 2

let site: ApprovalSite
const servers = openVictims()
beforeAll(async () => {
  site = await openApprovalSite()
})
afterEach(servers.close)
afterAll(() => site.close())

/** A request that is sent again costs more, which is no fault here. */
const assertions = [
  { type: 'call-outcome', tool: 'list_groups', outcome: 'ok' },
  { type: 'end-reason', reason: 'completed' },
  { type: 'answer-equals', text: 'ok' },
] as const

async function addChecks(): Promise<void> {
  const engine = await site.startEngine()
  const prompt = `${randomUUID()} [[wait 200ms]] [[call list_groups {}]] [[then]] [[wait 200ms]] [[say: ok]]`
  const { runId } = await start(site, prompt)
  await collect(site.admin, runId)
  const judge = judgedBy(await addJudge(site, `[[wait 200ms]] ${verdict(true, 'Good.')}`))
  const fields = { runId, tries, suites: [suite] }
  for (let place = 0; place < checks; place++) {
    const judges = place === 0 ? [judge] : []
    const asserted = { assertions: [...assertions, ...judges] }
    await saveCheck(site.admin, { ...fields, ...asserted, name: `Killed ${place}` })
  }
  await engine.close()
}

test(
  'kills of servers in the middle of a suite: each try runs and is judged once, and money equals the ledger',
  async () => {
    await addChecks()
    await budgetVerbs.create(site.admin, {
      scope: 'site',
      window: 'month',
      unit: 'micro-usd',
      amount: 1_000_000_000_000,
    })
    await servers.begin(2)
    const checkRunIds: string[] = []
    const startMore = async () => {
      // Between two tries of a suite, no run of it goes on.
      const open = await db().checkRun.count({ where: { endedAt: null } })
      if (open === 0) checkRunIds.push((await runSuite(site.admin, { suite })).checkRunId)
    }
    const targets = { where: () => ({ source: 'check' }) as const, startMore }
    const interrupted: Interrupted[] = []
    for (let kill = 0; kill < kills; kill++) {
      const boundary = boundaries[kill % boundaries.length] ?? 'any moment'
      interrupted.push(...(await servers.killAt(boundary, targets)))
      await servers.untilStarted()
    }
    const open = () => db().checkRun.count({ where: { endedAt: null } })
    await expect.poll(open, { timeout: 90_000, interval: 200 }).toBe(0)
    const begun = new Set<string | null>()
    for (const id of checkRunIds) {
      const { results, ...done } = await readCheckRun(site.admin, { id })
      const whole = { verdict: 'passed', passed: checks * tries, failed: 0, notRun: 0, open: 0 }
      expect(done).toMatchObject(whole)
      for (const { runId } of results) begun.add(runId)
    }
    expect(begun.size).toBe(checkRunIds.length * checks * tries)
    // One check has a judge.
    const judged = checkRunIds.length * tries
    expect(await db().run.count({ where: { source: 'check' } })).toBe(begun.size + judged)
    const held = () => db().budgetReservation.count({ where: { status: 'open' } })
    await expect.poll(held, { timeout: 60_000, interval: 200 }).toBe(0)
    await expectLedger(site.admin)
    report(
      `2 servers, ${kills} kills: ${checkRunIds.length} suites of ${checks * tries} tries, ${interrupted.length} runs interrupted, 0 tries lost or doubled`,
    )
    expect(interrupted.length).toBeGreaterThan(0)
  },
  120_000 + kills * 15_000,
)
