import { expect, test } from 'vitest'
import type { ModelEvent } from '@/lib/protocol/model-event'
import { emptyUsage } from '@/lib/protocol/usage'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, providerFailure, says } from '@/tests/support/scripted-model'
import { runAgent } from './run-agent'

const second = modelTarget({ modelRecordId: 'model-record-2', modelId: 'second-model' })

test('R1: every round runs on the snapshot', async () => {
  const parameters = { ...runSnapshot().parameters, temperature: 0.2, stop: ['END'] }
  const snapshot = runSnapshot({ parameters, systemPrompt: 'Answer in German.' })
  const run = runFixture({ script: [asks(['look']), says('Gut.')], tools: [testTool('look')] })
  await runAgent(runInput({ snapshot }), run.deps)
  expect(run.model.calls).toHaveLength(2)
  for (const { target, request } of run.model.calls) {
    expect(target).toEqual(snapshot.targets[0])
    expect(request).toMatchObject({ modelId: 'test-model', parameters })
    expect(request.system).toMatch(/^Answer in German\.\n\nTool results stand between <untrusted-/)
  }
})

test('R2: an empty offer is one plain completion without tools or a word about them', async () => {
  const run = runFixture({
    script: [says('Hello.')],
    tools: [testTool('look')],
    subject: { selected: new Set() },
  })
  await runAgent(runInput(), run.deps)
  expect(run.model.calls[0]?.request).toMatchObject({ tools: [], system: 'Be brief.' })
})

test('R2: the offer is sorted, and asked anew in each round', async () => {
  const run = runFixture({
    script: [asks(['b']), says('Done.')],
    tools: [
      testTool('b', {
        execute: async () => {
          run.switches.subject = { ...run.switches.subject, groupsOff: new Set(['other']) }
          return { content: '' }
        },
      }),
      testTool('c', { group: 'other' }),
      testTool('a'),
    ],
  })
  await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'round-start').map((event) => event.data.offered)).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b'],
  ])
})

test('G: switches that cannot be read offer nothing, and the trace says so', async () => {
  const run = runFixture({
    script: [says('Hello.')],
    tools: [testTool('look')],
    deps: { loadSubject: () => Promise.reject(new Error('database secret')) },
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'round-start')[0]?.data.offered).toEqual([])
  expect(eventsOf(run.events, 'warning')[0]?.data.code).toBe('offer-unavailable')
  expect(JSON.stringify(run.events)).not.toContain('database secret')
  expect(run.incidents.length).toBeGreaterThan(0)
})

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
  const asked = messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls : [],
  )
  const ids = asked.map((toolCall) => toolCall.providerCallId)
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

test('R15: a failure that passes is tried three times with growing, jittered waits', async () => {
  const run = runFixture({
    script: [fails('connection'), fails('server', { status: 500 }), says('Here.')],
  })
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(
    eventsOf(run.events, 'model-retry').map(({ data }) => [data.attempt, data.delayMs]),
  ).toEqual([
    [1, 375],
    [2, 750],
  ])
  expect(eventsOf(run.events, 'message')[0]?.data.retries).toBe(2)
})

test('R15: Retry-After is honoured', async () => {
  const run = runFixture({
    script: [fails('rate-limited', { status: 429, retryAfterMs: 7000 }), says('Here.')],
  })
  const startedAt = run.clock.now()
  await runAgent(runInput(), run.deps)
  expect(run.clock.now() - startedAt).toBeGreaterThanOrEqual(7000)
})

test('R15: a Retry-After of an hour is not waited for', async () => {
  const run = runFixture({ script: [fails('rate-limited', { retryAfterMs: 3_600_000 })] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({
    reason: 'provider-error',
    failure: { category: 'rate-limited' },
  })
})

test('R15: after three tries the fallback chain, and the run stays with it', async () => {
  const run = runFixture({
    script: [
      fails('overloaded'),
      fails('timeout'),
      fails('connection'),
      asks(['look']),
      says('From the second.'),
    ],
    tools: [testTool('look')],
  })
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets: [modelTarget(), second] }) }),
    run.deps,
  )
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(run.model.calls.map((call) => call.request.modelId)).toEqual([
    ...Array(3).fill('test-model'),
    'second-model',
    'second-model',
  ])
  expect(eventsOf(run.events, 'model-fallback').map((event) => event.data)).toMatchObject([
    { round: 1, from: 0, to: 1, failure: { category: 'connection' } },
  ])
  expect(eventsOf(run.events, 'message').map((event) => event.data.target)).toEqual([1, 1])
})

test.each(['auth', 'forbidden', 'not-found', 'bad-request', 'invalid-response'] as const)(
  'R15: %s is neither retried nor sent elsewhere',
  async (category) => {
    const run = runFixture({ script: [fails(category, { status: 400, advice: 'Check the key.' })] })
    const state = await runAgent(
      runInput({ snapshot: runSnapshot({ targets: [modelTarget(), second] }) }),
      run.deps,
    )
    expect(run.model.calls).toHaveLength(1)
    expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'run-end'])
    expect(state.end).toMatchObject({
      reason: 'provider-error',
      message: 'Check the key.',
      failure: { category },
    })
  },
)

test('R13: a provider that says the context is too long ends the run as such', async () => {
  const run = runFixture({ script: [fails('context-length', { status: 400 })] })
  expect((await runAgent(runInput(), run.deps)).end).toMatchObject({
    reason: 'context',
    truncated: true,
  })
})

test.each<ModelEvent>([
  { type: 'text-delta', text: 'Once upon' },
  { type: 'reasoning-delta', text: 'Once upon' },
])('R15: after $type was shown nothing is retried, and what was shown is kept', async (delta) => {
  const run = runFixture({ script: [[delta, ...fails('connection')]] })
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets: [modelTarget(), second] }) }),
    run.deps,
  )
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'message', 'run-end'])
  const round = state.rounds[0]
  expect(round?.text || round?.reasoningText).toBe('Once upon')
  expect(round?.response?.finishReason).toBe('cut')
  expect(state.end).toMatchObject({ reason: 'provider-error', usage: { estimated: true } })
})

test('R15: a call that was shown is not retried either, and never executed', async () => {
  const shown: ModelEvent = { type: 'tool-call-delta', index: 0, name: 'look', argumentsText: '{' }
  const run = runFixture({ script: [[shown, ...fails('connection')]], tools: [testTool('look')] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('provider-error')
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'run-end'])
})

test('R15: a stream that is cut before its first word is a connection error', async () => {
  const run = runFixture({
    script: [[finish({ finishReason: 'cut', usage: null })], [], says('Here.')],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'model-retry').map((event) => event.data.failure.category)).toEqual([
    'connection',
    'connection',
  ])
})

test('an adapter that throws fails the answer, and its words stay in the log', async () => {
  const run = runFixture({
    script: [
      async function* () {
        yield { type: 'text-delta', text: 'Well' } as const
        throw new Error('key sk-123')
      },
    ],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end).toMatchObject({
    reason: 'provider-error',
    failure: { category: 'invalid-response' },
  })
  expect(state.rounds[0]?.text).toBe('Well')
  expect(JSON.stringify(run.events)).not.toContain('sk-123')
  expect(run.incidents[0]?.detail).toBeInstanceOf(Error)
})

test.each([
  ['unconfirmed', 'was offered tools and asked for none'],
  ['unsupported', 'cannot call tools, so none were sent'],
] as const)(
  'R15b: a model whose tool calling is %s just answers, and the trace says so',
  async (toolCalling, words) => {
    const run = runFixture({ script: [says('No tools needed.')], tools: [testTool('look')] })
    const state = await runAgent(
      runInput({ snapshot: runSnapshot({ targets: [modelTarget({ toolCalling })] }) }),
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

test('deltas: the first is there at once, the rest in few pieces, nothing is lost', async () => {
  const words = Array.from({ length: 500 }, (_, index) => `word${index} `)
  let seenAfterFirst = 0
  const run = runFixture({
    script: [
      async function* () {
        for (const [index, text] of words.entries()) {
          yield { type: 'text-delta', text } as const
          if (index === 0) seenAfterFirst = eventsOf(run.events, 'text-delta').length
        }
        yield finish({ text: words.join('') })
      },
    ],
  })
  await runAgent(runInput(), run.deps)
  const deltas = eventsOf(run.events, 'text-delta')
  expect(seenAfterFirst).toBe(1)
  expect(deltas.map((event) => event.data.text).join('')).toBe(words.join(''))
  expect(deltas.length).toBeLessThan(10)
})

test('deltas: a pause brings out what was held back', async () => {
  const run = runFixture({
    script: [
      async function* () {
        yield { type: 'text-delta', text: 'a' } as const
        yield { type: 'text-delta', text: 'b' } as const
        await run.clock.sleep(5000)
        shown = eventsOf(run.events, 'text-delta').map((event) => event.data.text)
        yield finish({ text: 'ab' })
      },
    ],
  })
  let shown: string[] = []
  await runAgent(runInput(), run.deps)
  expect(shown).toEqual(['a', 'b'])
})

test('deltas: kinds do not mix, and a split surrogate pair is put together', async () => {
  const call = (argumentsText: string): ModelEvent => ({
    type: 'tool-call-delta',
    index: 0,
    name: 'look',
    argumentsText,
  })
  const run = runFixture({
    script: [
      [
        { type: 'reasoning-delta', text: 'Hm\ud83d' },
        { type: 'reasoning-delta', text: '\ude00' },
        { type: 'reasoning-delta', text: '!\ud83d' },
        { type: 'text-delta', text: 'Say' },
        call(''),
        call('{"a":'),
        call('1}'),
        finish({ toolCalls: [{ id: 'x', name: 'look', argumentsText: '{"a":1}' }] }),
      ],
      says('Done.'),
    ],
    tools: [testTool('look')],
  })
  await runAgent(runInput(), run.deps)
  const pieces = run.events.flatMap((event) => {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta')
      return [[event.type, event.data.text]]
    return event.type === 'call-delta' ? [[event.type, event.data.argumentsText]] : []
  })
  expect(pieces).toEqual([
    ['reasoning-delta', 'Hm'],
    ['reasoning-delta', '😀!\ufffd'],
    ['text-delta', 'Say'],
    ['call-delta', '{"a":1}'],
    ['text-delta', 'Done.'],
  ])
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

test('failures of a provider are told as they came, whatever it adds', async () => {
  const failure = providerFailure('auth', { status: 401, advice: 'The key was refused.' })
  const run = runFixture({ script: [[{ type: 'error', failure }]] })
  expect((await runAgent(runInput(), run.deps)).end?.failure).toEqual(failure)
})
