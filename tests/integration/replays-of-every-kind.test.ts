import { afterAll, beforeAll, expect, test } from 'vitest'
import { readReplay } from '@/lib/runs/replay/read-replay'
import { runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { explainTools } from '@/lib/toolset/policy/explain-tools'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'
import { approvalSiteOfFile } from '@/tests/support/approval-site'
import { askedWord, type KnownRun, recordEveryKind } from '@/tests/support/every-kind'
import { db } from '@/tests/support/fixture-db'

const site = approvalSiteOfFile()
let recorded: Awaited<ReturnType<typeof recordEveryKind>>
const off = { name: 'calculate', enabled: false, reason: 'too exact' }

beforeAll(async () => {
  const conditions = [{ path: '$.text', operator: 'contains' as const, value: askedWord }]
  await site.addRule({ conditions })
  recorded = await recordEveryKind(site)
})
afterAll(() => recorded.close())

/** Tables of money, rates, breakers, approvals, the audit and use, and of the runs themselves. */
const kept = [
  'runs',
  'run_events',
  'native_answers',
  'call_results',
  'usage_records',
  'call_records',
  'budget_reservations',
  'budget_counters',
  'tool_starts',
  'connection_health',
  'connection_failures',
  'connection_keys',
  'approvals',
  'rule_counts',
  'audit_entries',
  'run_web_uses',
  'memory_notes',
  'conversations',
  'panels',
  'files',
  'policy_version',
]

/** Returns what each of these tables has, in short. */
async function dump(): Promise<Record<string, string>> {
  const sums: Record<string, string> = {}
  for (const table of kept) {
    const [row] = await db().$queryRawUnsafe<{ sum: string }[]>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') AS sum FROM ${table} t`,
    )
    sums[table] = row?.sum ?? ''
  }
  return sums
}

/** Returns what was asked of providers and of tools that leave a trace. */
async function outside() {
  const lines = await site.writtenLines()
  return { requests: recorded.requests(), notes: recorded.started(), lines: lines.length }
}

async function replayAll() {
  const replays: ({ run: KnownRun } & Awaited<ReturnType<typeof readReplay>>)[] = []
  for (const run of recorded.runs) {
    replays.push({ run, ...(await readReplay(site.admin, run.runId)) })
  }
  return replays
}

test('200 runs of every kind: with the policy that they had, none differs, and nothing is called or stored', async () => {
  expect(recorded.runs.length).toBeGreaterThanOrEqual(200)
  expect((await dump()).runs).toContain(`${recorded.runs.length} `)
  const before = [await dump(), await outside()]
  const replays = await replayAll()
  const others = replays.filter(({ result }) => result !== 'same')
  expect(others.map(({ run, why, differences }) => ({ kind: run.kind, why, differences }))).toEqual(
    [],
  )
  expect([await dump(), await outside()]).toEqual(before)
})

test('with one tool off, exactly those differ that called it, in the words of explain', async () => {
  const called = recorded.runs.filter(({ kind }) => kind.includes('calculate'))
  const input = TrialInput.parse({ draft: { tools: [{ name: off.name, enabled: false }] } })
  const before = [await dump(), await outside()]
  const tried = await runTrial(site.admin, input)
  expect([await dump(), await outside()]).toEqual(before)
  expect(tried).toMatchObject({ changed: called.length, changedToday: 0, baseline: 0 })
  expect(tried.unreplayable).toEqual([])

  await switchTool(site.admin, off)
  try {
    const { configuration } = site
    const question = { userId: null, configuration, selected: null }
    const explained = await explainTools(site.admin, question)
    const verdict = explained.find(({ name }) => name === off.name)?.verdict
    const words = verdict && !verdict.allowed ? verdict.reason : ''
    expect(words).toContain(off.reason)
    const switched = [await dump(), await outside()]
    const replays = await replayAll()
    expect([await dump(), await outside()]).toEqual(switched)
    const different = replays.filter(({ result }) => result === 'different')
    expect(different.map(({ run }) => run)).toEqual(called)
    for (const { run, differences } of different) {
      const ofTool = differences.map(({ place, would, gate }) => ({
        tool: place.type === 'call' ? place.tool : place.type,
        would,
        gate,
      }))
      const one = { tool: off.name, would: words, gate: 'enabled' }
      expect(ofTool, run.kind).toEqual(Array(differences.length).fill(one))
    }
  } finally {
    await switchTool(site.admin, { ...off, enabled: true, reason: '' })
  }
})
