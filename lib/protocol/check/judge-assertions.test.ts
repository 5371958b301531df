import { describe, expect, test } from 'vitest'
import { checkOutput } from '@/lib/engines/runtime/output-check'
import { readCondition } from '@/lib/engines/runtime/policy/conditions'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import type { RunState } from '@/lib/protocol/run/fold-run'
import type { ExecutableTool } from '@/lib/protocol/tool'
import { anyRule } from '@/tests/support/any-rule'
import { approved, decides, type Recorded } from '@/tests/support/recorded-run'
import {
  runFixture,
  runInput,
  runSnapshot,
  subjectConfiguration,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, fails, says } from '@/tests/support/scripted-model'
import { call, end, message, roundStart, start, stateOf } from '@/tests/support/trace-events'
import { type Assertion, Assertions } from './assertion'
import { judgeAssertions } from './judge-assertions'

const matchers = { readCondition, linearPattern, checkOutput }
const judged = (state: RunState, ...assertions: Assertion[]) =>
  judgeAssertions(assertions, { state, matchers })
const judgedOne = (state: RunState, assertion: Assertion) => judged(state, assertion)[0]

const search = testTool('search_runs')
const fetchLogs = testTool('fetch_logs', { dataClass: 'diagnostics' })
const readFiles = testTool('read_files')
const append = testTool('append_line', { effect: 'write' })
const off = { enabled: false, changedBy: 'Ada', reason: 'It leaks.', changedAt: 0 }
const asking = { ...anyRule, toolName: 'append_line' }

const asksSearch = asks(['search_runs', { text: 'errors' }])
const asksLogs = asks(['fetch_logs', { limit: 2 }])
const asksAppend = asks(['append_line', { text: 'seen' }])
const answer = says('{"state":"all is well","errors":0}')

type Change = Omit<Recorded, 'script'> & { script?: Recorded['script'] }

async function run({ script, tools = [], subject, input, deps }: Change = {}) {
  const fixture = runFixture({
    script: script ?? [asksSearch, asksLogs, asksAppend, answer],
    tools: [...toolsBut(tools), ...tools],
    subject: { approvalRules: [asking], ...subject },
    deps: { ...decides(approved), ...deps },
  })
  await runAgent(runInput(input), fixture.deps)
  return fixture.state()
}

const toolsBut = (changed: readonly ExecutableTool[]) =>
  [search, fetchLogs, readFiles, append].filter(
    ({ name }) => !changed.some((each) => each.name === name),
  )

const schema = {
  type: 'object',
  properties: { errors: { type: 'integer' } },
  required: ['errors'],
}

const asserted = {
  called: { type: 'tool-called', tool: 'fetch_logs', atLeast: 1 },
  done: { type: 'call-outcome', tool: 'fetch_logs', outcome: 'ok' },
  order: { type: 'tools-in-order', tools: ['search_runs', 'fetch_logs'] },
  argument: {
    type: 'argument',
    tool: 'fetch_logs',
    path: '$.limit',
    operator: 'at-most',
    value: '5',
  },
  approval: { type: 'approval-asked', tool: 'append_line' },
  absent: { type: 'tool-not-called', tool: 'get_env' },
  calls: { type: 'calls-at-most', tool: null, count: 3 },
  contains: { type: 'answer-contains', text: 'all is well' },
  matches: { type: 'answer-matches', pattern: '"errors": ?0' },
  fits: { type: 'answer-fits', schema },
  end: { type: 'end-reason', reason: 'completed' },
  rounds: { type: 'rounds-at-most', count: 5 },
  tokens: { type: 'tokens-at-most', count: 1_000 },
  cost: { type: 'cost-at-most', microUsd: 1_000 },
  seconds: { type: 'seconds-at-most', seconds: 20 },
} as const satisfies Record<string, Assertion>
type Name = keyof typeof asserted
// Object.entries loses the names.
const entries = Object.entries(asserted) as [Name, Assertion][]

async function redAfter(change: Change) {
  const results = judged(await run(change), ...entries.map(([, each]) => each))
  return Object.fromEntries(
    entries.flatMap(([name], place) => {
      const result = results[place]
      return result && !result.passed ? [[name, result.sentence]] : []
    }),
  )
}

test('all assertions pass on an unchanged run', async () => {
  expect(Assertions.safeParse(entries.map(([, each]) => each)).success).toBe(true)
  expect(await redAfter({})).toEqual({})
})

/** Returns a clock that moves with every look. */
function slowClock() {
  let at = 1_700_000_000_000
  return () => {
    at += 1_000
    return at
  }
}

const logsWith = (args: object) => [asksSearch, asks(['fetch_logs', args]), asksAppend, answer]
const regressions: [title: string, change: Change, red: Partial<Record<Name, string>>][] = [
  [
    'a tool was switched off',
    { subject: { overrides: new Map([['fetch_logs', off]]) } },
    {
      done: 'No call of fetch_logs succeeded. fetch_logs was called once: 1 was denied (switch).',
    },
  ],
  [
    'a rule refuses a call',
    { subject: { approvalRules: [{ ...asking, action: 'deny' }] } },
    { approval: 'append_line was called once, without approval: 1 was denied (rules).' },
  ],
  [
    'a provider stands in another trust zone',
    {
      subject: {
        configuration: subjectConfiguration({
          leastTrusted: { connectionName: 'Far', zone: 'external-global' },
        }),
      },
    },
    {
      done: 'No call of fetch_logs succeeded. fetch_logs was called once: 1 was denied (trust zone).',
    },
  ],
  [
    'another model answers otherwise',
    { script: [asksSearch, asksLogs, asksAppend, says('{"state":"all fine","errors":0}')] },
    {
      contains:
        'The answer does not contain “all is well”. It is “{"state":"all fine","errors":0}”.',
    },
  ],
  [
    'another prompt leads to another answer',
    { script: [asksSearch, asksLogs, asksAppend, says('{"state":"all is well","errors":3}')] },
    {
      matches:
        'The answer does not match the pattern “"errors": ?0”. It is “{"state":"all is well","errors":3}”.',
    },
  ],
  [
    'an argument changed',
    { script: logsWith({ limit: 500 }) },
    {
      argument:
        'No call of fetch_logs fits: $.limit is at most "5". The arguments were {"limit":500}.',
    },
  ],
  [
    'the order changed',
    { script: [asksLogs, asksSearch, asksAppend, answer] },
    {
      order:
        'fetch_logs was not called after search_runs. The check asserts search_runs, then fetch_logs. The run called fetch_logs, then search_runs, then append_line.',
    },
  ],
  [
    'the round limit was reached',
    { input: { snapshot: runSnapshot({ maxRounds: 3 }) } },
    { end: 'The run ended with “Round limit”. The check asserts “Completed”.' },
  ],
  [
    'the answer does not fit its schema',
    { script: [asksSearch, asksLogs, asksAppend, says('{"state":"all is well","errors": 0.5}')] },
    { fits: 'The answer does not fit the JSON Schema: errors: expected integer, got number.' },
  ],
  [
    'a tool became slower',
    { deps: { now: slowClock() } },
    { seconds: expect.stringMatching(/^The run worked for \d\d\.\d s\. The limit is 20\.0 s\.$/) },
  ],
  [
    'another description leads to another tool',
    { script: [asksSearch, asks(['read_files', {}]), asksAppend, answer] },
    {
      called:
        'fetch_logs was not called. The run called search_runs once, read_files once and append_line once.',
      done: 'fetch_logs was not called. The run called search_runs once, read_files once and append_line once.',
      order:
        'fetch_logs was not called after search_runs. The check asserts search_runs, then fetch_logs. The run called search_runs, then read_files, then append_line.',
      argument:
        'fetch_logs was not called. The run called search_runs once, read_files once and append_line once.',
    },
  ],
  [
    'the model calls more tools',
    { script: [asksSearch, asksLogs, asksAppend, asks(['search_runs', { text: 'more' }]), answer] },
    {
      calls:
        'The run called search_runs twice, fetch_logs once and append_line once. The limit is 3 calls.',
    },
  ],
]

describe('a regression turns exactly the assertions red that are about it', () => {
  test.each(regressions)('%s', async (_title, change, red) => {
    expect(await redAfter(change)).toEqual(red)
  })
})

test('a dearer model, and one without a price, fail the cost', async () => {
  const priced = (microUsd: number | null) =>
    stateOf(start, roundStart(1), message(1, { text: 'Done.', costMicroUsd: microUsd }), {
      ...end,
      data: { ...end.data, reason: 'completed', truncated: false },
    })
  expect(judged(priced(1_000), asserted.cost)).toMatchObject([{ passed: true }])
  expect(judgedOne(priced(1_001), asserted.cost)).toMatchObject({
    passed: false,
    sentence: 'The run cost $0.001001. The limit is $0.001.',
  })
  expect(judgedOne(priced(null), asserted.cost)).toMatchObject({
    passed: false,
    sentence: 'The cost of the run is not known: a request is unpriced.',
  })
})

test('a cut answer is never compared', async () => {
  const state = await run({ script: [says('all is well', { finishReason: 'length' })] })
  const { contains, matches, fits } = asserted
  const equals = { type: 'answer-equals', text: 'all is well' } as const
  for (const { passed, sentence } of judged(state, contains, matches, fits, equals)) {
    expect(passed).toBe(false)
    expect(sentence).toMatch(/: the answer is cut off, so it was not compared\.$/)
  }
})

test('differences in white space are no other answer', async () => {
  const state = await run({ script: [says('All  is\n\nwell. ')] })
  expect(judgedOne(state, { type: 'answer-equals', text: ' All is well.' })?.passed).toBe(true)
  expect(judgedOne(state, { type: 'answer-equals', text: 'All is well' })?.passed).toBe(false)
})

test('an answer that is too long for a pattern is not compared', async () => {
  const state = await run({ script: [says('ab '.repeat(20_000))] })
  const pattern = '^([a-z ]{1,900})+$'
  expect(judgedOne(state, { type: 'answer-matches', pattern })).toMatchObject({
    passed: false,
    sentence: expect.stringContaining('too long'),
  })
  expect(judgedOne(state, { type: 'answer-matches', pattern: '^(ab )+$' })?.passed).toBe(true)
})

test('of a run without an answer of a model, only the end passes', async () => {
  const state = await run({ script: [fails('auth')] })
  const ended: Assertion = { type: 'end-reason', reason: 'provider-error' }
  const results = judged(state, ended, asserted.absent, asserted.calls, asserted.contains)
  expect(results.map(({ passed }) => passed)).toEqual([true, false, false, false])
  expect(results[1]?.sentence).toBe(
    'Does not call get_env: no model answered. The run ended with “Provider failed”.',
  )
})

test('nothing passes before the end of the run', () => {
  const state = stateOf(start, roundStart(1), message(1, { toolCalls: [call('fetch_logs')] }))
  for (const { passed, sentence } of judged(state, asserted.called, asserted.end)) {
    expect(passed).toBe(false)
    expect(sentence).toMatch(/: the run has not ended\.$/)
  }
})

test('a gate that refuses when the run begins counts, and another gate is named', async () => {
  const state = stateOf(start, roundStart(1), message(1, { text: 'Done.' }), end)
  const refused = (gate: 'enabled' | 'role'): Assertion => ({
    type: 'gate-refused',
    tool: 'get_env_raw',
    gate,
  })
  expect(judged(state, refused('enabled'), refused('role'))).toMatchObject([
    { passed: true, sentence: 'The gate “switch” refused get_env_raw at the start.' },
    {
      passed: false,
      sentence:
        'The gate “role” did not refuse get_env_raw. The gate “switch” refused it at the start. get_env_raw was not called. The run called no tool.',
    },
  ])
})
