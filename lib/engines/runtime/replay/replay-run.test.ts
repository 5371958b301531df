import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Journal, RunDeps } from '@/lib/engines/runtime/deps'
import { nothingRevoked, type Subject } from '@/lib/engines/runtime/policy/subject'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ApprovalDecision, ApprovalRule } from '@/lib/protocol/approval'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { type ExecutableTool, ToolError } from '@/lib/protocol/tool'
import { anyArguments, anyPolicy } from '@/tests/support/any-policy'
import { anyTool } from '@/tests/support/any-subject'
import {
  admin,
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, type ScriptStep, says } from '@/tests/support/scripted-model'
import { differencesOf } from './differences'
import { readRecording } from './recording'
import { type LimitsNow, replayRun } from './replay-run'

type Recorded = {
  script: ScriptStep[]
  tools?: ExecutableTool[]
  subject?: Partial<Subject>
  input?: Parameters<typeof runInput>[0]
  deps?: Partial<RunDeps>
  /** The run ends before its script. */
  isCut?: boolean
  /** Starts are counted, as the engine does. */
  isCounted?: boolean
}

/** Runs a script, and returns a function that replays it with the policy of then, changed by `subject`. */
async function record({ script, tools = [], subject, input, deps, isCut, isCounted }: Recorded) {
  const run = runFixture({ script, tools, subject, deps })
  const journal = isCounted ? counted(run.journal) : run.journal
  await runAgent(runInput(input), { ...run.deps, journal })
  if (!isCut) run.model.verify()
  return async (change: Partial<Subject> = {}, limits: LimitsNow | null = null) =>
    replayRun(
      { runId: 'run-1', events: run.events, nativeOf: run.journal.nativeOf },
      {
        subject: { ...run.switches.subject, ...change },
        tools: untouchable(run.deps.tools),
        limits,
        startsOf: () => [],
      },
    )
}

/** Returns the journal that tells the gates how often a tool was called in the run, as the stored one does. */
function counted(journal: ReturnType<typeof runFixture>['journal']): Journal {
  return {
    ...journal,
    begin: (start, decide) =>
      journal.begin(start, (subject) => {
        const name = start.type === 'call-start' ? start.data.name : ''
        const rate = subject.rates.get(name)
        if (!rate) return decide(subject)
        const starts = eventsOf(journal.events, 'call-start')
        const inRun = starts.filter(({ data }) => data.name === name).length
        const use = { inMinute: inRun, inRun, waitMs: 1_000 }
        return decide({ ...subject, rates: new Map([[name, { ...rate, use }]]) })
      }),
  }
}

/** Returns tools that fail the test when they are called. */
function untouchable(tools: RunDeps['tools']): RunDeps['tools'] {
  const execute = () => {
    throw new Error('A replay called a tool.')
  }
  return new Map([...tools].map(([name, tool]) => [name, { ...tool, execute }]))
}

const look = testTool('look')
const write = testTool('write', { effect: 'write' })
const off = (name: string): Partial<Subject> => ({
  overrides: new Map([
    [name, { enabled: false, reason: 'too much data', changedBy: 'Ada', changedAt: 0 }],
  ]),
})

const asking: ApprovalRule = {
  id: 'rule-1',
  name: 'Ask first',
  toolName: 'write',
  toolGroup: null,
  serverName: null,
  configurationId: null,
  userId: null,
  groupId: null,
  apiKeyId: null,
  action: 'ask',
  fourEyes: false,
  conditions: [],
}
const decides = (decision: ApprovalDecision): Partial<RunDeps> => ({
  readDecisions: async (waiting) =>
    waiting.flatMap(({ approval }) =>
      approval ? [{ approvalId: approval.approvalId, decision }] : [],
    ),
})
const approved = {
  type: 'approved',
  by: 'ada@example.org',
  userId: 'u-admin',
  message: '',
} as const
const approvedRun: Recorded = {
  script: [asks(['write', { n: 1 }]), says('Done.')],
  tools: [write],
  subject: { approvalRules: [asking] },
  deps: decides(approved),
}

const inText = runSnapshot({ toolMode: 'prompted' })
const asksInText = (name: string) =>
  says(`I look.\n<tool_call>{"name":"${name}","args":{"n":1}}</tool_call> and more`)
const cheap = { scope: 'run', mode: 'enforce', limitMicroUsd: 1 } as const

/** Returns another text each time. */
function counting() {
  let n = 0
  return async () => String(n++)
}

async function* streamed(events: ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events
}

const kinds: Record<string, Recorded> = {
  'an answer at once': { script: [says('Hi.')] },
  'calls of two rounds': {
    script: [asks(['look', { n: 1 }], ['look', { n: 2 }]), asks(['look', { n: 3 }]), says('Done.')],
    tools: [look],
  },
  'a tool that is off': {
    script: [asks(['raw']), says('No.')],
    tools: [testTool('raw', { enabledByDefault: false })],
  },
  'a tool that does not exist': { script: [asks(['nothing']), says('No.')], tools: [look] },
  'arguments that do not fit': {
    script: [asks(['look', '{"n":']), says('Done.')],
    tools: [look],
  },
  'a tool that fails': {
    script: [asks(['look']), says('Done.')],
    tools: [
      testTool('look', {
        execute: async () => {
          throw new ToolError('gone', 'It is gone.')
        },
      }),
    ],
  },
  'the limit of rounds': {
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Enough.')],
    tools: [look],
    input: { snapshot: runSnapshot({ maxRounds: 2 }) },
  },
  'the same call five times': {
    script: Array.from({ length: 5 }, () => asks(['look', { n: 1 }])),
    tools: [look],
    input: { snapshot: runSnapshot({ maxRounds: 9 }) },
  },
  'an approval': approvedRun,
  'an approval with other arguments': {
    ...approvedRun,
    deps: decides({ ...approved, type: 'edited', argumentsText: '{"n":2}' }),
  },
  'a refusal by a person': {
    ...approvedRun,
    deps: decides({ type: 'denied', by: 'ada@example.org', message: 'Not today.' }),
  },
  'a call that nobody decided about': { ...approvedRun, deps: {} },
  'retries of a provider': {
    script: [fails('overloaded'), fails('rate-limited'), says('At last.')],
  },
  'a fallback': {
    script: [fails('auth'), says('From the other.')],
    input: {
      snapshot: runSnapshot({ targets: [modelTarget(), modelTarget({ modelId: 'other' })] }),
    },
  },
  'a failure for good': { script: [fails('bad-request')] },
  'an answer that is cut': {
    script: [[...says('A part').slice(0, -1), finish({ text: 'A part', finishReason: 'length' })]],
  },
  'an answer that breaks off': {
    script: [[...says('A part').slice(0, -1), ...fails('connection')]],
  },
  'a call in text': {
    script: [asksInText('look'), says('Done.')],
    tools: [look],
    input: { snapshot: inText },
  },
  'a request in text that cannot be read': {
    script: [says('<tool_call>{"name":</tool_call>'), says('Done.')],
    tools: [look],
    input: { snapshot: inText },
  },
  'a cost cap': {
    script: [asks(['look']), says('It is enough.')],
    tools: [look],
    input: { snapshot: runSnapshot({ costCaps: [cheap] }) },
  },
  'a budget that is used up': {
    script: [],
    deps: { reserve: async () => ({ type: 'refused', reason: 'Daily site budget used up.' }) },
  },
  'a tool that takes too long': {
    script: [asks(['look']), says('Done.')],
    tools: [testTool('look', { execute: () => new Promise(() => undefined) })],
  },
  'the time limit': {
    script: [asks(['look']), says('Never.')],
    tools: [testTool('look', { timeoutMs: 900_000, execute: () => new Promise(() => undefined) })],
    isCut: true,
  },
  'a command that its tool refuses': {
    script: [asks(['write']), says('Done.')],
    tools: [
      testTool('write', {
        effect: 'write',
        look: {
          isAct: true,
          read: async () => {
            throw new ToolError('refused', 'It must not.')
          },
        },
      }),
    ],
    subject: { approvalRules: [asking] },
  },
  'a command that a person approved': {
    ...approvedRun,
    tools: [testTool('write', { effect: 'write', look: { isAct: true, read: async () => 'rm' } })],
  },
  'a text that changed meanwhile': {
    ...approvedRun,
    tools: [testTool('write', { effect: 'write', look: { read: counting() } })],
  },
  'a limit of calls in one run': {
    script: [asks(['look', { n: 1 }]), asks(['look', { n: 2 }]), says('Done.')],
    tools: [look],
    subject: { rates: new Map([['look', { perMinute: null, perRun: 1, use: null }]]) },
    isCounted: true,
  },
  'the hidden mark in a call': {
    script: [
      ({ request }) =>
        streamed(
          asks(['look', { text: /canary-[0-9a-f]{16}/.exec(JSON.stringify(request))?.[0] ?? '' }]),
        ),
      says('Done.'),
    ],
    tools: [look],
    input: { snapshot: runSnapshot({ skills: [] }) },
  },
}

describe('a run is the same with the policy that it had', () => {
  for (const [kind, recorded] of Object.entries(kinds))
    test(kind, async () => {
      const replay = await record(recorded)
      expect(await replay()).toEqual({ frozen: null, offers: [], differences: [] })
    })
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
        const replayed = await replayRun(before, {
          subject: plain(now),
          tools: untouchable(before.tools),
          limits: null,
          startsOf: () => [],
        })
        const recording = readRecording(before)
        const expected = differencesOf(recording, { state: after.state, isBeyond: false })
        expect(replayed.differences).toEqual(expected)
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
  const base = { ...subject, approvalRules, rates, frozen: null, revoked: nothingRevoked }
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
