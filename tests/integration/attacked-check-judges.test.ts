import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { budgetVerbs } from '@/lib/domains/budgets/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { limitApiKey } from '@/lib/joined-verbs'
import { advanceCheckRun } from '@/lib/runs/checks/advance-check-run'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { runCheck, runSuite, stopCheckRun } from '@/lib/runs/checks/start-check'
import {
  addKey,
  addUnbegun,
  advanceUnbegun,
  checkSiteOfFile,
  engine,
  untilEnded,
} from '@/tests/support/check-site'
import { db } from '@/tests/support/fixture-db'
import { addJudge, judgedBy, judgeRuns, judgesOf, verdict } from '@/tests/support/judge-site'

const { run, save, site } = checkSiteOfFile()

const prompt = () => `${randomUUID()} [[say: ok]]`
const slowly = () => addJudge(site, `[[wait 3000ms]] ${verdict(true, 'Good.')}`)

afterEach(async () => {
  const { rows } = await budgetVerbs.list(site.admin, { sort: 'title' })
  for (const { id } of rows) await budgetVerbs.remove(site.admin, { id })
  await expect.poll(() => engine().budgetsInForce()).toBe(false)
})

/** Adds a budget for the requests of a configuration. */
async function addBudget(configuration: string, amount: number): Promise<void> {
  const { id } = await db().configuration.findUniqueOrThrow({
    where: { identifier: configuration },
  })
  await budgetVerbs.create(site.admin, {
    scope: 'configuration',
    scopeId: id,
    window: 'day',
    unit: 'requests',
    amount,
  })
  // The engine hears of it by a notification.
  await expect.poll(() => engine().budgetsInForce()).toBe(true)
}

/** Runs a check until its judge works. */
async function untilJudge(id: string): Promise<string> {
  const { checkRunId } = await runCheck(site.admin, { id })
  await expect.poll(() => judgeRuns(checkRunId), { timeout: 10_000 }).toHaveLength(1)
  return checkRunId
}

test('an empty budget of a judge gives no verdict', async () => {
  const judge = await addJudge(site, verdict(true, 'Good.'))
  const check = await save(prompt(), { assertions: [judgedBy(judge)], tries: 2, passes: 1 })
  await addBudget(judge, 1)
  const done = await run(check.id)
  expect(done).toMatchObject({ verdict: 'passed', passed: 1, failed: 1 })
  expect(done.results.flatMap(judgesOf)).toContainEqual({
    verdict: 'not-judged',
    sentence: expect.stringMatching(/^Not judged: The run of the judge did not start: Budget\./),
  })
})

test('a suite asks the budgets for its judges, too', async () => {
  const judge = await addJudge(site, verdict(true, 'Good.'))
  const suite = `judged ${randomUUID()}`
  const assertions = [judgedBy(judge), judgedBy(judge, { rubric: 'It is polite.' })]
  await save(prompt(), { assertions, suites: [suite], tries: 2, passes: 2 })
  await addBudget(judge, 3)
  await expect(runSuite(site.admin, { suite })).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/^Nothing was started\. .* 4 requests/),
  })
  expect(await db().checkRun.count({ where: { name: suite } })).toBe(0)
})

test('a stop ends the judge that works, and the check is red', async () => {
  const check = await save(prompt(), { assertions: [judgedBy(await slowly())] })
  const checkRunId = await untilJudge(check.id)
  await stopCheckRun(site.admin, { id: checkRunId })
  const done = await untilEnded(site.admin, checkRunId)
  expect(done.verdict).toBe('failed')
  expect(judgesOf(done.results[0])).toMatchObject([
    { verdict: 'not-judged', sentence: expect.stringContaining('“Stopped”') },
  ])
})

test('a freeze ends the judge that works, and none begins after it', async () => {
  const assertions = [judgedBy(await slowly())]
  const check = await save(prompt(), { assertions })
  const checkRunId = await untilJudge(check.id)
  await freezeSite(site.admin, { reason: 'A leak' })
  const done = await untilEnded(site.admin, checkRunId)
  await unfreezeSite(site.admin, {})
  expect(judgesOf(done.results[0])).toMatchObject([
    { verdict: 'not-judged', sentence: expect.stringContaining('“Frozen”') },
  ])
})

test('processes that ask the same judge at once ask it once', async () => {
  const judge = await addJudge(site, `[[wait 200ms]] ${verdict(true, 'Good.')}`)
  const check = await save(prompt(), { assertions: [judgedBy(judge)], tries: 4 })
  const { checkRunId } = await runCheck(site.admin, { id: check.id })
  const ended = async () => {
    await Promise.all(Array.from({ length: 4 }, () => advanceCheckRun(engine(), checkRunId)))
    return (await readCheckRun(site.admin, { id: checkRunId })).endedAt
  }
  await expect.poll(ended, { timeout: 20_000 }).not.toBeNull()
  expect(await readCheckRun(site.admin, { id: checkRunId })).toMatchObject({ passed: 4 })
  const where = { prompt: { contains: check.prompt }, source: 'check' }
  expect(await db().run.count({ where })).toBe(8)
})

test('the cost cap of a check holds for its judges', async () => {
  const unpriced = await addJudge(site, verdict(true, 'Good.'), { unpriced: true })
  const check = await save(prompt(), { assertions: [judgedBy(unpriced)] })
  await db().check.update({
    where: { id: check.id },
    data: { costCap: { mode: 'enforce', limitMicroUsd: 1_000_000 } },
  })
  const done = await run(check.id)
  expect(judgesOf(done.results[0])).toMatchObject([
    { verdict: 'not-judged', sentence: expect.stringContaining('cost cap') },
  ])
})

test('a key that is limited to the configuration of a check asks no judge beyond it', async () => {
  const judge = await addJudge(site, verdict(true, 'Good.'))
  const check = await save(prompt(), { assertions: [judgedBy(judge)] })
  const apiKeyId = await addKey(site.admin)
  const id = await addUnbegun(site.admin, check.id, { apiKeyId })
  await limitApiKey(site.admin, { id: apiKeyId, configurations: [site.configuration] })
  await advanceUnbegun(id)
  const done = await untilEnded(site.admin, id)
  expect(done.verdict).toBe('failed')
  expect(judgesOf(done.results[0])).toMatchObject([{ verdict: 'not-judged' }])
  expect(await judgeRuns(id)).toEqual([])
})

test('what looks like a secret in the words of a judge is not kept', async () => {
  const secret = `sk-${'a1B2c3D4e5F6g7H8'.repeat(3)}`
  const judge = await addJudge(site, verdict(false, `It says ${secret}.`))
  const done = await run((await save(prompt(), { assertions: [judgedBy(judge)] })).id)
  expect(done.verdict).toBe('failed')
  expect(JSON.stringify(done)).not.toContain(secret)
})
