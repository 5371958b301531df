import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Outcome } from '@/lib/protocol/tool'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { limitTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, askApi } from '@/tests/support/api-client'
import { type ApprovalSite, finish, openApprovalSite } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { start } from '@/tests/support/run-site'
import { startTestEngine } from '@/tests/support/test-engine'
import { finish as ended, startToolgate, toolgate } from '@/tests/support/toolgate-process'

let site: ApprovalSite

beforeAll(async () => {
  site = await openApprovalSite()
})

afterEach(async () => {
  await limitTool(site.admin, { name: 'append_line', perMinute: null, perRun: null })
  await db().toolStarts.deleteMany()
})

afterAll(() => site.close())

/** Returns a prompt that appends so many lines at once, or each in a round of its own. */
function appending(lines: number, name: string, between = ' ') {
  const calls = Array.from(
    { length: lines },
    (_, at) => `[[call append_line {"text":"${name} ${at}"}]]`,
  )
  return `${calls.join(between)} [[then]] [[say: done]]`
}

/** Runs a prompt in this process, and returns how its calls ended. */
async function outcomesOf(prompt: string): Promise<Outcome[]> {
  const { runId } = await start(site, prompt)
  const calls = (await finish(site.admin, runId)).rounds.flatMap((round) => round.calls)
  return calls.flatMap(({ state }) => (state.type === 'ended' ? [state.outcome] : []))
}

const ok = (outcomes: Outcome[]) => outcomes.filter(({ type }) => type === 'ok')

async function explained() {
  const input = { userId: null, configuration: site.configuration, selected: null }
  return (await explainTools(site.admin, input)).find(({ name }) => name === 'append_line')
}

test('two processes at once start no more calls of a tool in a minute than its limit', async () => {
  const perMinute = 5
  await limitTool(site.admin, { name: 'append_line', perMinute })
  const run = ['run', '--configuration', site.configuration, '--as', site.admin.actor.email]
  const both = await Promise.all(
    ['one', 'two'].map((name) =>
      ended(startToolgate([...run, '--prompt', appending(4, name), '--json'])),
    ),
  )
  for (const { code, stderr } of both) expect([code, stderr]).toEqual([0, ''])
  const written = await site.writtenLines()
  expect(written).toHaveLength(perMinute)
  const calls = await db().callRecord.findMany({ select: { outcome: true } })
  expect(calls.map(({ outcome }) => outcome).sort()).toEqual([
    ...Array.from({ length: 3 }, () => 'denied'),
    ...Array.from({ length: perMinute }, () => 'ok'),
  ])
})

test('a limit that is used up refuses calls in words, where they start and where they are explained', async () => {
  const engine = await startTestEngine()
  try {
    await limitTool(site.admin, { name: 'append_line', perMinute: 2, perRun: 2 })
    expect(await explained()).toMatchObject({
      verdict: { allowed: true },
      answers: expect.arrayContaining([
        {
          gate: 'rate',
          answer: 'yes',
          words:
            'within its limit (0 of 2 calls in the last minute and at most 2 calls in one run)',
        },
      ]),
    })
    const prompt = appending(3, 'in one run', ' [[then]] ')
    const outcomes = await outcomesOf(prompt)
    expect(ok(outcomes)).toHaveLength(2)
    expect(outcomes.at(-1)).toMatchObject({
      type: 'denied',
      gate: 'rate',
      reason:
        'At most 2 calls of it may start in one run, and 2 did. No other call of it starts in this run.',
    })
    expect(site.lastRequestOf(prompt)).toContain('No other call of it starts in this run.')
    const [refused] = await outcomesOf(appending(1, 'in another'))
    const words =
      /^At most 2 calls of it may start in a minute, for all runs of this site, and 2 did\. The next one may start in \d+ seconds?\.$/
    expect(refused).toMatchObject({ gate: 'rate', reason: expect.stringMatching(words) })
    expect(await explained()).toMatchObject({
      verdict: { allowed: false, gate: 'rate', reason: expect.stringMatching(words) },
    })
    // A minute later.
    await db().$executeRaw`UPDATE tool_starts SET starts = ARRAY(
      SELECT at - interval '1 minute' FROM unnest(starts) AS s(at))`
    expect(ok(await outcomesOf(appending(1, 'later')))).toHaveLength(1)
    expect(await db().toolStarts.findMany()).toMatchObject([{ starts: [expect.any(Date)] }])
  } finally {
    await engine.close()
  }
})

test('parallel calls of one round are counted one by one', async () => {
  const engine = await startTestEngine()
  try {
    await limitTool(site.admin, { name: 'append_line', perRun: 2 })
    expect(ok(await outcomesOf(appending(4, 'at once')))).toHaveLength(2)
    expect(await db().toolStarts.count()).toBe(0)
    await limitTool(site.admin, { name: 'append_line', perMinute: 3, perRun: null })
    expect(ok(await outcomesOf(appending(4, 'again')))).toHaveLength(3)
  } finally {
    await engine.close()
  }
})

test('limits are set by admins alone, over HTTP and by the command line, and audited', async () => {
  const key = await apiKeyOf(site.admin, 'tools:read', 'tools:write')
  const set = (json: object) => askApi('PUT', '/tools/append_line/limit', { key, json })
  expect(await (await set({ perMinute: 10 })).json()).toMatchObject({
    limit: { perMinute: 10, perRun: null },
  })
  expect((await set({ perMinute: 0 })).status).toBe(422)
  const limit = ['tools', 'limit', 'append_line', '--as', site.admin.actor.email]
  const { stdout } = await toolgate([...limit, '--per-run', '3', '--no-per-minute'])
  expect(stdout).toBe('append_line: at most 3 calls a run.\n')
  expect((await toolgate([...limit, '--no-per-run'])).stdout).toBe('append_line: no limit.\n')
  expect(await db().toolLimit.count()).toBe(0)
  const audit = await db().auditEntry.findMany({
    where: { action: 'tool.limit', objectId: 'append_line' },
    orderBy: { at: 'desc' },
    take: 2,
  })
  expect(audit.map(({ before, after }) => [before, after])).toEqual([
    [
      { perMinute: null, perRun: 3 },
      { perMinute: null, perRun: null },
    ],
    [
      { perMinute: 10, perRun: null },
      { perMinute: null, perRun: 3 },
    ],
  ])
  const member = await addPerson('member')
  const request = limitTool(member, { name: 'append_line', perMinute: 1 })
  await expect(request).rejects.toMatchObject({ status: 403 })
})
