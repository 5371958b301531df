import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { emptyUsage } from '@/lib/protocol/cost/cost'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, finish, providerFailure, says } from '@/tests/support/scripted-model'

test('R12: missing ids are made up, duplicates replaced across rounds, results stay with their call', async () => {
  const call = (id: string | null, n: number) => ({ id, name: 'echo', argumentsText: `{"n":${n}}` })
  const run = runFixture({
    script: [
      [
        finish({
          toolCalls: [call('x', 1), call('x', 2), call(null, 3), call('', 4), call('bad\0id', 5)],
        }),
      ],
      [finish({ toolCalls: [call('x', 6)] })],
      says('Done.'),
    ],
    tools: [testTool('echo', { execute: async (args) => ({ content: JSON.stringify(args) }) })],
  })
  await runAgent(runInput(), run.deps)
  const messages = run.model.calls[2]?.request.messages ?? []
  const request = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls : [],
  )
  const ids = request.map((toolCall) => toolCall.providerCallId)
  expect(new Set(ids).size).toBe(6)
  expect(ids[0]).toBe('x')
  for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/)
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message] : []))
  expect(results.map((result) => result.providerCallId)).toEqual(ids)
  results.forEach((result, index) => {
    expect(result.content).toContain(`{"n":${index + 1}}`)
  })
  expect(eventsOf(run.events, 'warning').map((event) => event.data.code)).toEqual([
    'duplicate-call-id',
    'duplicate-call-id',
  ])
})

test('R11: no arguments go back as {}', async () => {
  const run = runFixture({
    script: [
      [finish({ toolCalls: [{ id: 'x', name: 'look', argumentsText: '  ' }] })],
      says('Done.'),
    ],
    tools: [testTool('look')],
  })
  await runAgent(runInput(), run.deps)
  expect(run.model.calls[1]?.request.messages[1]).toMatchObject({
    toolCalls: [{ argumentsText: '{}' }],
  })
})

test('R14: usage and cost add up, the closing round too', async () => {
  const run = runFixture({ script: [asks(['look']), says('Done.')], tools: [testTool('look')] })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ maxRounds: 1 }) }), run.deps)
  expect(state.end).toMatchObject({
    reason: 'max-rounds',
    usage: { inputTokens: 200, outputTokens: 20, estimated: false },
    costMicroUsd: 240,
  })
})

test('R14: an unknown price is null, never 0', async () => {
  const targets = [modelTarget({ prices: { ...modelTarget().prices, output: null } })]
  const run = runFixture({ script: [says('Done.')] })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  expect(state.end?.costMicroUsd).toBeNull()
})

test.each([
  ['none', null],
  ['zeros', emptyUsage],
  ['negative', { ...emptyUsage, inputTokens: -5, outputTokens: 5 }],
  ['no number', { ...emptyUsage, inputTokens: Number.NaN, outputTokens: 5 }],
  ['more cached than sent', { ...emptyUsage, inputTokens: 5, cachedInputTokens: 50 }],
])('R14: usage that is %s is estimated, with a warning', async (_words, usage) => {
  const run = runFixture({ script: [says('Some words of answer.', { usage })] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.usage.estimated).toBe(true)
  expect(state.end?.usage.inputTokens).toBeGreaterThan(0)
  expect(state.end?.usage.outputTokens).toBeGreaterThan(3)
  expect(eventsOf(run.events, 'warning').map((event) => event.data.code)).toEqual(['usage-missing'])
})

test.each([
  ['unconfirmed', 'auto', 'was offered tools but called none'],
  ['unsupported', 'native', 'cannot call tools, so none were sent'],
  ['unsupported', 'auto', 'was offered tools in text but asked for none'],
] as const)(
  'R15b: a model whose tool calling is %s just answers in mode %s, and the trace says so',
  async (toolCalling, toolMode, words) => {
    const run = runFixture({ script: [says('No tools needed.')], tools: [testTool('look')] })
    const state = await runAgent(
      runInput({ snapshot: runSnapshot({ toolMode, targets: [modelTarget({ toolCalling })] }) }),
      run.deps,
    )
    expect(state.end?.reason).toBe('completed')
    expect(run.model.calls[0]?.request.tools).toHaveLength(toolCalling === 'unsupported' ? 0 : 1)
    const [warning] = eventsOf(run.events, 'warning')
    expect(warning?.data).toMatchObject({
      code: 'tools-unconfirmed',
      message: expect.stringContaining(words),
    })
    expect(warning?.data.message).toContain('Models known to call tools: GPT')
  },
)

test('R15b: nothing is said of a model that did call a tool, or had none', async () => {
  const snapshot = runSnapshot({ targets: [modelTarget({ toolCalling: 'unconfirmed' })] })
  const calling = runFixture({ script: [asks(['look']), says('Done.')], tools: [testTool('look')] })
  await runAgent(runInput({ snapshot }), calling.deps)
  expect(eventsOf(calling.events, 'warning')).toEqual([])
  const bare = runFixture({ script: [says('Done.')] })
  await runAgent(runInput({ snapshot }), bare.deps)
  expect(eventsOf(bare.events, 'warning')).toEqual([])
})

test('T5a: control characters never reach the journal or the next request', async () => {
  const run = runFixture({
    script: [
      [
        ...asks(['look\0']).slice(0, -1),
        finish({
          text: 'a\0b\ud800',
          toolCalls: [{ id: 'x', name: 'look\0', argumentsText: '{"a":\0}' }],
        }),
      ],
      says('ok'),
    ],
    tools: [testTool('look')],
  })
  const state = await runAgent(runInput({ prompt: 'Hi\0 there' }), run.deps)
  const written = JSON.stringify([run.events, run.model.calls.map((call) => call.request)])
  expect(written).not.toMatch(/\\u0000|\\ud800/)
  expect(state.rounds[0]?.calls[0]?.state).toMatchObject({
    outcome: { type: 'denied', gate: 'registered' },
  })
})

test('R14: what a provider counted of an answer that failed is recorded, though nothing was shown', async () => {
  const usage = { ...emptyUsage, inputTokens: 1_000, outputTokens: 200 }
  const failure = providerFailure('invalid-response')
  const run = runFixture({ script: [[{ type: 'error', failure, usage }]] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({ reason: 'provider-error', usage, costMicroUsd: 1_400 })
  expect(eventsOf(run.events, 'message').map(({ data }) => data)).toMatchObject([
    { text: '', finishReason: 'cut', usage, errorCategory: 'invalid-response' },
  ])
})
