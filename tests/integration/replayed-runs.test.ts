import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { updateConfigurationPolicy } from '@/lib/domains/configurations/policy-verbs'
import { findConfiguration } from '@/lib/domains/configurations/reads'
import { updateConfiguration } from '@/lib/domains/configurations/verbs'
import { freezeSite, unfreezeSite } from '@/lib/domains/settings/freeze'
import { createApiKey } from '@/lib/joined-verbs'
import { NotFoundError } from '@/lib/kernel/errors'
import { readReplay } from '@/lib/runs/replay/read-replay'
import type { StartRunInput } from '@/lib/runs/schemas'
import { cancelRun, chooseCostCap, revokeKey } from '@/lib/runs/verbs'
import { loadToolset } from '@/lib/toolset/tools/load-toolset'
import { limitTool, switchTool } from '@/lib/toolset/tools/tool-verbs'
import { apiKeyOf, apiRoute, ask } from '@/tests/support/api-client'
import { append, approvalSiteOfFile, decide, finish, startOne } from '@/tests/support/approval-site'
import { db } from '@/tests/support/fixture-db'
import { addPerson } from '@/tests/support/people'
import { collect, start } from '@/tests/support/run-site'
import { toolgate } from '@/tests/support/toolgate-process'

const site = approvalSiteOfFile()
/** The runs of this file by what they are, all of which have ended. */
const runs = new Map<string, string>()
const look = '[[call list_groups {}]]'

async function record(kind: string, prompt: string, wishes: Partial<StartRunInput> = {}) {
  const { runId } = await start(site, prompt, wishes)
  await collect(site.admin, runId)
  runs.set(kind, runId)
}

/** Returns what a replay says of each run of this file, by what it is. */
async function replayAll() {
  const replays = new Map<string, Awaited<ReturnType<typeof readReplay>>>()
  for (const [kind, runId] of runs) replays.set(kind, await readReplay(site.admin, runId))
  return replays
}

/** Returns what must be as it was after a replay: money, starts, what is in flight, and the audit. */
async function ledger() {
  const [row] = await db().$queryRaw<{ all: string }[]>`
    SELECT md5(concat(
      (SELECT string_agg(r::text, '' ORDER BY r.id) FROM runs r),
      (SELECT string_agg(e::text, '' ORDER BY e."runId", e.seq) FROM run_events e),
      (SELECT string_agg(b::text, '' ORDER BY b::text) FROM budget_reservations b),
      (SELECT string_agg(t::text, '' ORDER BY t::text) FROM tool_starts t),
      (SELECT string_agg(a::text, '' ORDER BY a::text) FROM approvals a),
      (SELECT string_agg(a::text, '' ORDER BY a.id) FROM audit_entries a))) AS all`
  return row?.all
}

/** Changes the configuration of all runs of this file. */
async function change(fields: object) {
  const { id } = await findConfiguration(site.admin, site.configuration)
  const { version } = await db().configuration.findUniqueOrThrow({ where: { id } })
  await updateConfiguration(site.admin, { id, version, ...fields })
  return id
}

const of = (kind: string) => runs.get(kind) ?? ''

beforeAll(async () => {
  await record('an answer', '[[say: Hello.]]')
  await record('reads', `${look} ${look} [[then]] ${look} [[then]] [[say: Done.]]`)
  await record('a write', append('one'))
  await record('arguments that do not fit', '[[call append_line {"text":7}]] [[then]] [[say: No.]]')
  await record('a tool that is not there', '[[call nothing {}]] [[then]] [[say: No.]]')
  await record('a tool that is off', '[[call get_env_raw {}]] [[then]] [[say: No.]]')
  await record('picked tools', `${append('no')}`, { tools: ['list_groups'] })
  await record('a large result', '[[call big_result {}]] [[then]] [[say: Long.]]')
  await record('the limit of rounds', `${look} [[always]]`, { maxRounds: 2 })
  await record('a failure', '[[status 400]]')
  await record('retries', '[[status 429 retry-after=0]] [[then]] [[say: At last.]]')
  await record('a cut answer', '[[say: A part]] [[finish length]]')
  await record('a cost cap', `${look} [[then]] [[say: Enough.]]`, {
    costCap: { mode: 'enforce', limitMicroUsd: 1 },
  })
  await record('a first turn', `${look} [[then]] [[say: One.]]`)
  await record('a next turn', `${look} [[then]] [[say: Two.]]`, { continues: of('a first turn') })
  await recordDecided()
  await recordStopped()
})

async function recordDecided() {
  await site.addRule()
  const decisions = {
    'an approved call': { type: 'approve', message: '' },
    'an edited call': { type: 'edit', argumentsText: '{"text":"softer"}', message: '' },
    'a denied call': { type: 'deny', message: 'Not today.' },
  } as const
  for (const [kind, decision] of Object.entries(decisions)) {
    const row = await startOne(site, append(kind))
    await decide(site.admin, row, decision)
    await finish(site.admin, row.runId)
    runs.set(kind, row.runId)
  }
}

async function recordStopped() {
  const { runId } = await start(site, '[[say slowly 50ms: one two three four five six seven]]')
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  await cancelRun(site.admin, { runId })
  await collect(site.admin, runId)
  runs.set('a stopped run', runId)
  const waiting = await startOne(site, append('never'))
  await cancelRun(site.admin, { runId: waiting.runId })
  await collect(site.admin, waiting.runId)
  runs.set('a run stopped while a call waits', waiting.runId)
}

test('with the policy that they had, all are the same; a replay asks nobody and stores nothing', async () => {
  const before = await ledger()
  const requests = site.requestsOf('[[say: Hello.]]').length
  const lines = await site.writtenLines()
  const replays = await replayAll()
  const different = [...replays].filter(([, { result }]) => result !== 'same')
  // The rule came after it.
  expect(different.map(([kind]) => kind)).toEqual(['a write'])
  expect(replays.get('a write')).toMatchObject({
    result: 'different',
    differences: [
      { place: { type: 'call', tool: 'append_line' }, gate: 'approval', follows: false },
    ],
  })
  expect(await ledger()).toBe(before)
  expect(site.requestsOf('[[say: Hello.]]')).toHaveLength(requests)
  expect(await site.writtenLines()).toEqual(lines)
})

test('with a tool off, exactly those differ that called it, in the words of explain', async () => {
  await switchTool(site.admin, { name: 'list_groups', enabled: false, reason: 'too much data' })
  try {
    const replays = await replayAll()
    const different = [...replays].filter(([, { result }]) => result === 'different')
    expect(different.map(([kind]) => kind).toSorted()).toEqual(
      ['a first turn', 'a next turn', 'a write', 'reads', 'the limit of rounds'].toSorted(),
    )
    const words = `Switched off for this site by ${site.admin.actor.email}: too much data. An admin can switch the tool on.`
    expect(replays.get('reads')?.differences).toMatchObject([
      { place: { round: 1 }, was: 'It ran.', would: words, gate: 'enabled', follows: false },
      { place: { round: 1 }, would: words, follows: true },
      { place: { round: 2 }, would: words, follows: true },
    ])
    expect(replays.get('an answer')?.offers).toMatchObject([{ tool: 'list_groups', would: words }])
  } finally {
    await switchTool(site.admin, { name: 'list_groups', enabled: true, reason: '' })
  }
})

test('limits of today count: rounds of the configuration, and calls of a tool', async () => {
  await change({ maxRounds: 1 })
  expect(await readReplay(site.admin, of('reads'))).toMatchObject({
    result: 'different',
    differences: [
      { place: { type: 'round', round: 2 }, follows: false },
      { place: { type: 'call', round: 2 }, would: 'It would not begin.', follows: true },
      { place: { type: 'round', round: 3 }, follows: true },
      { place: { type: 'end' }, follows: true },
    ],
  })
  await change({ maxRounds: 5 })
  expect(await readReplay(site.admin, of('reads'))).toMatchObject({ result: 'same' })
  await limitTool(site.admin, { name: 'list_groups', perRun: 1 })
  expect(await readReplay(site.admin, of('reads'))).toMatchObject({
    differences: [
      { place: { type: 'call', round: 1 }, gate: 'rate', follows: false },
      { place: { type: 'call', round: 2 }, gate: 'rate', follows: true },
    ],
  })
  await limitTool(site.admin, { name: 'list_groups', perRun: null })
})

type Policy = Omit<Parameters<typeof updateConfigurationPolicy>[1], 'id' | 'reason'>

/** Changes what the configuration of all runs of this file allows. */
async function permit(policy: Policy) {
  const { id } = await findConfiguration(site.admin, site.configuration)
  await updateConfigurationPolicy(site.admin, { id, ...policy, reason: 'Too much data' })
}

test('what the configuration allows now counts, also where it allows more', async () => {
  const group = (await loadToolset(db())).get('current_time')?.group ?? ''
  await permit({ allowedToolGroups: [group] })
  await record('a refused read', `${look} [[then]] [[say: No.]]`)
  await permit({ allowedToolGroups: null, afterUntrusted: 'refuse' })
  await record('a refused write', `[[call hostile_text {}]] [[then]] ${append('after reading')}`)
  await permit({ afterUntrusted: 'allow' })
  for (const kind of ['a refused read', 'a refused write'])
    expect(await readReplay(site.admin, of(kind))).toMatchObject({
      result: 'different',
      differences: [{ place: { type: 'call' }, follows: false }],
    })
})

test('rounds that a person set count after the configuration changed; unknown ones cannot be replayed', async () => {
  const own = of('the limit of rounds')
  const { id } = await findConfiguration(site.admin, site.configuration)
  await change({ maxRounds: 6 })
  expect(await readReplay(site.admin, own)).toMatchObject({ result: 'same' })
  const { createdAt } = await db().run.findUniqueOrThrow({ where: { id: own } })
  const kept = await db().configurationVersion.findMany({
    where: { configurationId: id, createdAt: { lte: createdAt } },
  })
  await db().configurationVersion.deleteMany({
    where: { configurationId: id, version: { in: kept.map(({ version }) => version) } },
  })
  expect(await readReplay(site.admin, own)).toMatchObject({
    result: 'not-replayable',
    why: expect.stringMatching(/whether its rounds were set for this run/),
  })
  const data = kept.map(({ data: form, ...row }) => ({ ...row, data: form ?? {} }))
  await db().configurationVersion.createMany({ data })
  await change({ maxRounds: 5 })
})

test('a key that was revoked, and a run whose configuration is off, would not begin', async () => {
  const { id } = await createApiKey(site.admin, { name: 'Nightly', scopes: ['runs:write'] })
  const { runId } = await start(
    { ...site, admin: { ...site.admin, via: 'api', apiKeyId: id } },
    `${look} [[then]] [[say: Hello]]`,
  )
  await collect(site.admin, runId)
  await revokeKey(site.admin, { keyId: id, stopRuns: false })
  expect(await readReplay(site.admin, runId)).toMatchObject({
    result: 'different',
    differences: expect.arrayContaining([
      expect.objectContaining({
        place: { type: 'end' },
        would: 'The run would end: The API key Nightly was revoked.',
      }),
    ]),
  })
})

test('a run whose right was taken after its call would not begin that call today', async () => {
  const { runId } = await start(
    site,
    `${look} [[then]] [[say slowly 200ms: one two three four five]]`,
  )
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  await permit({ enabled: false })
  await collect(site.admin, runId)
  const replay = await readReplay(site.admin, runId)
  await permit({ enabled: true })
  expect(replay).toMatchObject({
    result: 'different',
    differences: [
      { place: { type: 'round', round: 1 }, follows: false },
      { place: { type: 'call', round: 1 }, was: 'It ran.', would: 'It would not begin.' },
      { place: { type: 'round', round: 2 } },
    ],
  })
})

test('a run that was stopped during a call is the same, with the calls that had not begun', async () => {
  const slow = (label: string) => `[[call slow_read {"ms":600,"label":"${label}"}]]`
  for (const calls of [
    `${slow('a')} ${slow('b')} ${look}`,
    ['1', '2', '3', '4', '5', '6'].map(slow).join(' '),
  ]) {
    const { runId } = await start(site, `${calls} [[then]] [[say: end]]`)
    await collect(site.admin, runId, { until: ({ type }) => type === 'call-start' })
    await cancelRun(site.admin, { runId })
    await collect(site.admin, runId)
    expect(await readReplay(site.admin, runId)).toMatchObject({ result: 'same', differences: [] })
  }
})

test('a run whose right is back today would go on', async () => {
  const { runId } = await start(site, '[[say slowly 200ms: one two three four five six seven]]')
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  await permit({ enabled: false })
  await collect(site.admin, runId)
  expect(await readReplay(site.admin, runId)).toMatchObject({ result: 'different' })
  await permit({ enabled: true })
  expect(await readReplay(site.admin, runId)).toMatchObject({
    result: 'different',
    differences: [{ place: { type: 'end' }, would: expect.stringContaining('would go on') }],
  })
})

test('a time limit in the middle of an answer ends it as then', async () => {
  await change({ timeLimitMs: 10_000 })
  const { runId } = await start(site, '[[say slowly 900ms: a b c d e f g h i j k l m n o p q]]')
  await collect(site.admin, runId)
  expect(await readReplay(site.admin, runId)).toMatchObject({ result: 'same' })
  await change({ timeLimitMs: 600_000 })
})

test('a choice about a cost cap counts where it was made', async () => {
  const { runId } = await start(
    site,
    `[[say slowly 80ms: one two three four five six]] ${look} [[then]] ${look} [[then]] [[say: Done.]]`,
    { costCap: { mode: 'enforce', limitMicroUsd: 1 } },
  )
  await collect(site.admin, runId, { until: ({ type }) => type === 'text-delta' })
  await chooseCostCap(site.admin, { runId, choice: 'ignore' })
  await collect(site.admin, runId)
  expect(await readReplay(site.admin, runId)).toMatchObject({ result: 'same' })
})

test('a freeze is said once and left out; a run that goes on cannot be replayed', async () => {
  await freezeSite(site.admin, { reason: 'A leak' })
  const replay = await readReplay(site.admin, of('reads'))
  await unfreezeSite(site.admin, {})
  expect(replay).toMatchObject({ result: 'same', frozen: { reason: 'A leak' }, differences: [] })
  const waiting = await startOne(site, append('later'))
  expect(await readReplay(site.admin, waiting.runId)).toMatchObject({
    result: 'not-replayable',
    why: 'The run has not ended.',
  })
  await cancelRun(site.admin, { runId: waiting.runId })
  await collect(site.admin, waiting.runId)
})

test('who may see a run may replay it: over the API and in a shell, which answers by its exit code', async () => {
  const stranger = await addPerson('member')
  for (const runId of [of('reads'), randomUUID(), 'x'])
    await expect(readReplay(stranger, runId)).rejects.toThrow(NotFoundError)
  const replay = apiRoute('/runs/{runId}/replay')
  const key = await apiKeyOf(site.admin, 'runs:read', 'tools:read')
  const less = await apiKeyOf(site.admin, 'runs:read')
  const refused = await ask(replay.POST, 'POST', '/', {
    key: less,
    params: { runId: of('reads') },
  })
  expect(await refused.json()).toMatchObject({
    detail: 'The API key lacks the scope tools:read.',
  })
  const answer = await ask(replay.POST, 'POST', '/', { key, params: { runId: of('reads') } })
  expect(await answer.json()).toMatchObject({ result: 'same', differences: [] })

  const same = await toolgate(['run', 'replay', of('reads')])
  expect([same.code, same.stdout]).toEqual([0, "Today's policy would have done the same.\n"])
  await toolgate(['tools', 'disable', 'list_groups', '--reason', 'too much data'])
  const different = await toolgate(['run', 'replay', of('reads'), '--json'])
  await toolgate(['tools', 'enable', 'list_groups'])
  expect([different.code, JSON.parse(different.stdout)]).toMatchObject([3, { result: 'different' }])
})
