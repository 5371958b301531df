import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck } from '@/lib/runs/checks/start-check'
import { type ApprovalSite, openApprovalSite } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addJudge, judgedBy, judgeRuns, verdict } from '@/tests/support/judge-site'
import { collect, start } from '@/tests/support/run-site'
import { endWorkers, startWorker, stopped } from '@/tests/support/start-worker'

let site: ApprovalSite
beforeAll(async () => {
  site = await openApprovalSite()
})
afterEach(endWorkers)
afterAll(() => site.close())

const tries = 9

/** A request that is sent again costs more, which is no fault here. */
const assertions = [
  { type: 'end-reason', reason: 'completed' },
  { type: 'answer-equals', text: 'ok' },
] as const

test('a server that is killed loses no try and no judge of a check, and none is begun twice', async () => {
  const engine = await site.startEngine()
  const judge = await addJudge(site, `[[wait 300ms]] ${verdict(true, 'Good.')}`)
  const { runId } = await start(site, `${randomUUID()} [[wait 400ms]] [[say: ok]]`)
  await collect(site.admin, runId)
  const { id } = await saveCheck(site.admin, {
    runId,
    name: 'Killed',
    tries,
    assertions: [...assertions, judgedBy(judge)],
  })
  await engine.close()
  const workers = [await startWorker(), await startWorker()]
  const { checkRunId } = await runCheck(site.admin, { id })
  const read = () => readCheckRun(site.admin, { id: checkRunId })
  const judged = async () => (await read()).passed
  await expect.poll(judged, { timeout: 30_000 }).toBeGreaterThan(0)
  // The one that works, in the middle of it.
  const active = { status: { not: 'ended' }, source: 'check' } as const
  const owner = await db().run.findFirst({ where: { ...active, instanceId: { not: null } } })
  const victim = workers.find(({ instanceId }) => instanceId === owner?.instanceId) ?? workers[0]
  if (!victim) throw new Error('No worker runs.')
  victim.kill('SIGKILL')
  await stopped(victim)
  const ended = async () => (await read()).endedAt
  await expect.poll(ended, { timeout: 60_000 }).not.toBeNull()
  const { results, ...done } = await read()
  expect(done).toMatchObject({ verdict: 'passed', passed: tries, open: 0 })
  expect(new Set(results.map((each) => each.runId)).size).toBe(tries)
  expect(await judgeRuns(checkRunId)).toHaveLength(tries)
  expect(await db().run.count({ where: { source: 'check' } })).toBe(2 * tries)
}, 120_000)
