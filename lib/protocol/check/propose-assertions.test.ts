import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkOutput } from '@/lib/engines/runtime/output-check'
import { readCondition } from '@/lib/engines/runtime/policy/conditions'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { linearPattern } from '@/lib/json-schema/linear-pattern'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RunState } from '@/lib/protocol/run/fold-run'
import { ToolError } from '@/lib/protocol/tool'
import { anyRule } from '@/tests/support/any-rule'
import { changedAssertion } from '@/tests/support/changed-assertion'
import { approved, decides } from '@/tests/support/recorded-run'
import { runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, fails, type ScriptStep, says } from '@/tests/support/scripted-model'
import { call, end, message, roundStart, start, stateOf } from '@/tests/support/trace-events'
import { type Assertion, Assertions } from './assertion'
import { assertionText } from './check-words'
import { judgeAssertions } from './judge-assertions'
import { proposeAssertions } from './propose-assertions'

const tools = [
  testTool('look'),
  testTool('append', { effect: 'write' }),
  testTool('break', {
    execute: async () => {
      throw new ToolError('broken', 'It is broken.')
    },
  }),
  testTool('forbidden'),
  testTool('strict', { parse: () => ({ ok: false, issues: ['text: is missing'] }) }),
  testTool('closed', { requiresAdmin: true, enabledByDefault: false }),
]
const rules = [
  { ...anyRule, id: 'r1', toolName: 'append' },
  { ...anyRule, id: 'r2', toolName: 'forbidden', action: 'deny' as const },
]
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

async function run(script: ScriptStep[], { maxRounds = 5, fits = false } = {}): Promise<RunState> {
  const options = { ...defaultOptions, outputSchema: fits ? schema : null }
  const { deps, state } = runFixture({
    script,
    tools,
    subject: { approvalRules: rules },
    deps: decides(approved),
  })
  await runAgent(runInput({ snapshot: runSnapshot({ maxRounds, options }) }), deps)
  return state()
}

const judged = (state: RunState, assertions: readonly Assertion[]) =>
  judgeAssertions(assertions, { state, matchers: { readCondition, linearPattern, checkOutput } })

const names = fc.constantFrom(...tools.map(({ name }) => name), 'unknown_tool')
const asked = fc.record({ name: names, n: fc.nat(3) })
const turn = fc.array(asked, { minLength: 1, maxLength: 4 })
const ending = fc.constantFrom<() => ScriptStep[]>(
  () => [says('Done.'), says('Done.')],
  () => [says('{"n":1}')],
  () => [says('Cut', { finishReason: 'length' })],
  () => [fails('auth')],
)

test('proposals pass on their own run, and fail with another value', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { maxLength: 4 }),
      ending,
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      async (turns, last, maxRounds, fits) => {
        const steps = turns.map((calls) =>
          asks(...calls.map(({ name, n }) => [name, { n }] as [string, object])),
        )
        const state = await run([...steps, ...last(), says('{"n":2}')], { maxRounds, fits })
        const proposed = proposeAssertions(state)
        expect(Assertions.safeParse(proposed).error).toBeUndefined()
        expect(judged(state, proposed).filter(({ passed }) => !passed)).toEqual([])
        const others = proposed.flatMap((each) => changedAssertion(each, state) ?? [])
        expect(judged(state, others).filter(({ passed }) => passed)).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})

test('a run with rules, approvals and a failure proposes what a person would keep', async () => {
  const state = await run([
    asks(['look'], ['look']),
    asks(['append', { text: 'x' }], ['forbidden']),
    asks(['break'], ['strict'], ['unknown_tool']),
    says('Done.'),
  ])
  expect(proposeAssertions(state).map(assertionText)).toEqual([
    'Calls look at least twice',
    'Calls append at least once',
    'Calls break at least once',
    'Calls look, then append, then break',
    'A call of look succeeds',
    'A call of append succeeds',
    'A call of break fails',
    'A call of append waits for approval',
    'The gate “rules” refuses forbidden',
    'Ends with “Completed”',
    'Calls tools at most 14 times',
    'Takes at most 8 rounds',
    'Costs at most $0.00096',
  ])
})

test('a run that has not ended proposes nothing', () => {
  expect(proposeAssertions(stateOf(start, roundStart(1)))).toEqual([])
})

test('a run without an answer of a model proposes its end alone', async () => {
  const state = await run([fails('auth')])
  expect(proposeAssertions(state)).toEqual([{ type: 'end-reason', reason: 'provider-error' }])
})

test('a run that was stopped proposes its calls, not its end nor how far it came', () => {
  const seen = call('look')
  const done = {
    type: 'call-end',
    data: {
      round: 1,
      callId: seen.callId,
      name: seen.name,
      verdict: { allowed: true },
      outcome: { type: 'timed-out', timeoutMs: 5 },
      durationMs: 5,
    },
  } as const
  const cancelled = { ...end, data: { ...end.data, reason: 'cancelled' as const } }
  const answered = [start, roundStart(1), message(1, { toolCalls: [seen] })]
  expect(proposeAssertions(stateOf(...answered, done, cancelled)).map(assertionText)).toEqual([
    'Calls look at least once',
    'A call of look times out',
  ])
  expect(proposeAssertions(stateOf(start, roundStart(1), cancelled))).toEqual([])
})

test('of very many tools the first are taken, and the end of the run stays', () => {
  const calls = Array.from({ length: 80 }, (_, place) => call(`tool_${place}`))
  const ends = calls.map(
    ({ name, callId }) =>
      ({
        type: 'call-end',
        data: {
          round: 1,
          callId,
          name,
          verdict: { allowed: true },
          outcome: { type: 'timed-out', timeoutMs: 5 },
          durationMs: 5,
        },
      }) as const,
  )
  const state = stateOf(
    start,
    roundStart(1),
    message(1, { toolCalls: calls }),
    ...ends,
    roundStart(2),
    message(2, { text: 'Done.' }),
    end,
  )
  const proposed = proposeAssertions(state)
  expect(proposed).toHaveLength(50)
  expect(proposed).toContainEqual({ type: 'end-reason', reason: 'max-rounds' })
  expect(Assertions.safeParse(proposed).success).toBe(true)
})
