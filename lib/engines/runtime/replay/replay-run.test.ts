import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nothingRevoked, type Subject } from '@/lib/engines/runtime/policy/subject'
import { advance, runAgent } from '@/lib/engines/runtime/run-agent'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { anyArguments, anyPolicy } from '@/tests/support/any-policy'
import { anyTool } from '@/tests/support/any-subject'
import { decides, look, record, replayed, untouchable, write } from '@/tests/support/recorded-run'
import {
  admin,
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { decidedNow, decidedThen, differencesOf } from './differences'
import { readRecording } from './recording'

const off = (name: string): Partial<Subject> => ({
  overrides: new Map([
    [name, { enabled: false, reason: 'too much data', changedBy: 'Ada', changedAt: 0 }],
  ]),
})
test('a tool that is off now: the call that it made, in the words of explain', async () => {
  const replay = await record({
    script: [asks(['look', { n: 1 }]), asks(['write', { n: 2 }]), says('Done.')],
    tools: [look, testTool('write')],
  })
  const { differences, offers } = await replay(off('write'))
  const words = 'Switched off for this site by Ada: too much data. An admin can switch the tool on.'
  expect(offers).toEqual([{ tool: 'write', was: 'It was offered.', would: words, gate: 'enabled' }])
  expect(differences).toMatchObject([
    {
      place: { type: 'call', round: 2, tool: 'write' },
      was: 'It ran.',
      would: words,
      gate: 'enabled',
      follows: false,
    },
  ])
})

test('a crash in a request: what was lost costs as then', async () => {
  const snapshot = runSnapshot({
    costCaps: [{ scope: 'run', mode: 'enforce', limitMicroUsd: 3_000 }],
  })
  const input = runInput({ prompt: 'word '.repeat(5_000), snapshot })
  const died = runFixture({ script: [asks(['look'])], tools: [look] })
  await runAgent(input, died.deps)
  const run = runFixture({ script: [says('Short.')], tools: [look] })
  const inRequest = died.events.findIndex(({ type }) => type === 'round-start')
  run.journal.events.push(...died.events.slice(0, inRequest + 1))
  let state = foldRun(run.journal.events)
  while (!state.end) state = await advance(state, run.deps)
  expect(eventsOf(run.events, 'request-lost')).toHaveLength(1)
  const { subject } = run.switches
  const policy = { subject, tools: run.deps.tools, snapshot, startsOf: () => [] }
  const recorded = { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf }
  expect(await replayed(recorded, policy)).toEqual({ frozen: null, offers: [], differences: [] })
})

test('fewer rounds: the calls that would not begin', async () => {
  const replay = await record({
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Done.')],
    tools: [look],
  })
  const { differences } = await replay({}, runSnapshot({ maxRounds: 1 }))
  expect(differences.map(({ place, would }) => [place.type, would])).toEqual([
    ['round', 'A final answer without tools.'],
    ['call', 'It would not begin.'],
    ['round', 'The run would have ended before.'],
    ['end', expect.stringContaining('The run would end: The limit of 1 round')],
  ])
})

test('a shorter time limit: what the run did after it', async () => {
  const never = () => new Promise<never>(() => undefined)
  const run = runFixture({
    script: [asks(['look']), asks(['slow']), says('Never.')],
    tools: [look, testTool('slow', { timeoutMs: 900_000, execute: never })],
  })
  const snapshot = runSnapshot({ timeLimitMs: 600_000 })
  await runAgent(runInput({ snapshot }), run.deps)
  // The first answer took two minutes.
  const first = run.events.findIndex(({ type }) => type === 'message')
  const events = run.events.map((event, index) =>
    index >= first && event.type !== 'run-end' && event.at === run.events[0]?.at
      ? { ...event, at: event.at + 120_000 }
      : event,
  )
  const recorded = { runId: 'run-1', events, nativeOf: run.journal.nativeOf }
  const policy = { subject: run.switches.subject, tools: run.deps.tools, startsOf: () => [] }
  expect((await replayed(recorded, { ...policy, snapshot })).differences).toEqual([])
  const shorter = { ...snapshot, timeLimitMs: 60_000 }
  const { differences } = await replayed(recorded, { ...policy, snapshot: shorter })
  expect(differences.map(({ place }) => place)).toMatchObject([
    { type: 'call', round: 1 },
    { type: 'round', round: 2 },
    { type: 'call', round: 2 },
  ])
})

test('a right that is gone: nothing of what happened would begin', async () => {
  const replay = await record({ script: [asks(['write']), says('Done.')], tools: [write] })
  const revoked = { run: 'The account was deleted.', targets: [] }
  const { differences } = await replay({ revoked })
  expect(differences.map(({ place, would }) => [place.type, would])).toEqual([
    ['round', 'The run would have ended before.'],
    ['call', 'It would not begin.'],
    ['round', 'The run would have ended before.'],
    ['end', 'The run would end: The account was deleted.'],
  ])
})

test('files that the providers of today may not have', async () => {
  const file = {
    id: 'f',
    name: 'a.txt',
    type: 'text/plain' as const,
    bytes: 3,
    sha256: 'x',
    dataClass: 'secret-adjacent' as const,
    mostTokens: 5,
  }
  const replay = await record({
    script: [says('Read.')],
    input: {
      files: [file],
      snapshot: runSnapshot({ targets: [modelTarget({ trustZone: 'local' })] }),
    },
  })
  expect((await replay()).differences).toEqual([])
  const abroad = runSnapshot({ targets: [modelTarget({ trustZone: 'external-global' })] })
  expect((await replay({}, abroad)).differences).toMatchObject([
    { place: { type: 'round', round: 1 } },
    { place: { type: 'end' } },
  ])
})

test('a name that is the alias of another tool today', async () => {
  const run = runFixture({ script: [asks(['look']), says('Done.')], tools: [look] })
  await runAgent(runInput(), run.deps)
  const other = testTool('srv__look', { alias: 'look', server: 'srv' })
  const { differences } = await replayed(
    { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf },
    {
      subject: run.switches.subject,
      tools: new Map([['srv__look', other]]),
      snapshot: runInput().snapshot,
      startsOf: () => [],
    },
  )
  expect(differences).toMatchObject([{ place: { type: 'call', tool: 'look' } }])
})

test('a policy that cannot be asked is no answer', async () => {
  const run = runFixture({ script: [asks(['look']), says('Done.')], tools: [look] })
  await runAgent(runInput(), run.deps)
  const limit = { perMinute: 1, perRun: null, use: null }
  const replaying = replayed(
    { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf },
    {
      subject: { ...run.switches.subject, rates: new Map([['look', limit]]) },
      tools: run.deps.tools,
      snapshot: runInput().snapshot,
      startsOf: () => {
        throw new Error('The starts cannot be read.')
      },
    },
  )
  await expect(replaying).rejects.toThrow('A gate failed in a replay.')
})

test('a long run lets other work go on', async () => {
  const rounds = 150
  const calls = Array.from({ length: 16 }, (_, n): [string, object] => ['look', { n }])
  const replay = await record({
    script: [
      ...Array.from({ length: rounds }, (_, round) =>
        asks(...calls.map(([name, args]): [string, object] => [name, { ...args, round }])),
      ),
      says('Done.'),
    ],
    tools: [look],
    input: { snapshot: runSnapshot({ maxRounds: rounds + 5, timeLimitMs: 1e9 }) },
  })
  let rests = 0
  const counting = setInterval(() => rests++, 0)
  expect((await replay()).differences).toEqual([])
  clearInterval(counting)
  expect(rests).toBeGreaterThan(rounds / 4)
})

test('any policy: a replay says what a run with that policy does', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      anyTool,
      anyPolicy,
      anyPolicy,
      anyArguments,
      async (facts, then, now, text) => {
        const tools = [testTool('b', { group: 'other' }), { ...facts, parse }]
        const before = await runWith(plain(then), tools, text)
        const after = await runWith(plain(now), tools, text)
        const found = await replayed(before, {
          subject: plain(now),
          tools: untouchable(before.tools),
          snapshot: runInput().snapshot,
          startsOf: () => [],
        })
        const recording = readRecording(before)
        const expected = differencesOf(
          decidedThen(recording),
          decidedNow(recording, { state: after.state, isBeyond: false }),
        )
        expect(found.differences).toEqual(expected)
        for (const { place } of expected) seen.add(place.type)
      },
    ),
    { numRuns: 200 },
  )
  expect([...seen].toSorted()).toEqual(['call'])
})

/** Returns the policy without what a replay leaves to other tests: freezes, revoked rights and second persons. */
function plain(subject: Subject): Subject {
  const approvalRules = subject.approvalRules.map((rule) => ({ ...rule, fourEyes: false }))
  const rates = new Map()
  const temporary = { frozen: null, accounts: new Map(), revoked: nothingRevoked }
  const base = { ...subject, approvalRules, rates, ...temporary }
  return {
    ...base,
    fourEyes: false,
    approvers: new Map([['replay', { ...admin, userId: 'replay' }]]),
  }
}

async function runWith(subject: Subject, tools: ExecutableTool[], text: string) {
  const run = runFixture({
    script: [asks(['b', text]), asks(['a', text]), says('Done.')],
    tools,
    subject,
    deps: decides({ type: 'approved', by: '', userId: 'replay', message: '' }),
  })
  const state = await runAgent(runInput(), run.deps)
  const { events, journal } = run
  return { runId: 'run-1', events, nativeOf: journal.nativeOf, state, tools: run.deps.tools }
}

/** Says no to one value, and fails at another. */
function parse(args: unknown): ReturnType<ExecutableTool['parse']> {
  const x = typeof args === 'object' && args !== null && 'x' in args ? args.x : null
  if (x === 'throw') throw new Error('The parser of the tool is broken.')
  if (x === 'refuse') return { ok: false, issues: ['Not this one.'] }
  return { ok: true, args }
}
