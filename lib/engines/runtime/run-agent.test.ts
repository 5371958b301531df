import { expect, test } from 'vitest'
import { applyRunEvent, foldRun, initialRunState } from '@/lib/protocol/run/fold-run'
import { canonicalJson } from '@/lib/words/json-text'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, says } from '@/tests/support/scripted-model'
import { JournalLostError, runStart } from './deps'
import { nextStep } from './next-step'
import { advance, runAgent } from './run-agent'

const look = testTool('look')
const rounds = (maxRounds: number) => runInput({ snapshot: runSnapshot({ maxRounds }) })
const numbered = (count: number) => Array.from({ length: count }, (_, n) => asks(['look', { n }]))

test('a prompt, two tools, an answer: every event in its place', async () => {
  const run = runFixture({
    script: [asks(['clock'], ['weather', { city: 'Ulm' }]), says('It is sunny.')],
    tools: [testTool('clock'), testTool('weather')],
  })
  const state = await runAgent(runInput(), run.deps)
  run.model.verify()
  expect(typesOf(run.events)).toEqual([
    'run-start',
    'round-start',
    'message',
    'call-start',
    'call-start',
    'call-end',
    'call-end',
    'round-start',
    'message',
    'run-end',
  ])
  expect(run.events.map((event) => event.seq)).toEqual(run.events.map((_, index) => index + 1))
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false })
  expect(state).toEqual(run.state())
  expect(run.model.calls[1]?.request.messages.map((message) => message.role)).toEqual([
    'user',
    'assistant',
    'tool',
    'tool',
  ])
  expect(eventsOf(run.events, 'message')[1]?.data.text).toBe('It is sunny.')
  expect(run.clock.sleepers()).toBe(0)
})

test('G-E: the first event lists the tools asked for, with the gate that said no', async () => {
  const run = runFixture({
    script: [says('Hi.')],
    tools: [look, testTool('raw', { enabledByDefault: false }), testTool('other')],
    subject: { selected: new Set(['raw', 'nope', 'look']) },
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.start?.accepted).toEqual([
    {
      name: 'look',
      description: 'The look tool.',
      group: 'test',
      effect: 'read',
      dataClass: 'public',
    },
  ])
  expect(state.start?.rejected).toMatchObject([
    { name: 'nope', gate: 'registered' },
    { name: 'raw', gate: 'enabled' },
  ])
  expect(state.start?.nonce).toMatch(/.{8,}/)
})

test('R4: calls of the last round run, then one closing answer without tools', async () => {
  const run = runFixture({ script: [...numbered(2), says('That is all.')], tools: [look] })
  const state = await runAgent(rounds(2), run.deps)
  run.model.verify()
  expect(run.model.calls.map((call) => call.request.tools.length)).toEqual([1, 1, 0])
  expect(eventsOf(run.events, 'round-start').map((event) => event.data.closing)).toEqual([
    false,
    false,
    true,
  ])
  expect(eventsOf(run.events, 'call-start')).toHaveLength(2)
  expect(state.end).toMatchObject({ reason: 'max-rounds', truncated: true })
  expect(state.rounds.at(-1)?.text).toBe('That is all.')
})

test('R4: a model that asks for tools in the closing round gets none', async () => {
  const run = runFixture({ script: numbered(2), tools: [look] })
  const state = await runAgent(rounds(1), run.deps)
  expect(eventsOf(run.events, 'call-start')).toHaveLength(1)
  expect(state.end?.reason).toBe('max-rounds')
  expect(state.rounds.at(-1)?.calls[0]?.state).toMatchObject({
    type: 'ended',
    outcome: { type: 'cancelled' },
  })
})

test('R4: an answer in the last allowed round is a full success', async () => {
  const run = runFixture({ script: [...numbered(1), says('Done.')], tools: [look] })
  expect((await runAgent(rounds(2), run.deps)).end).toMatchObject({
    reason: 'completed',
    truncated: false,
  })
})

test('R5: a refused budget keeps what there is', async () => {
  let requestCount = 0
  const run = runFixture({
    script: numbered(2),
    tools: [look],
    deps: {
      reserve: async () =>
        ++requestCount < 3
          ? { type: 'held', reservationId: null, warning: null }
          : { type: 'refused', reason: 'The day is used up.' },
    },
  })
  const state = await runAgent(rounds(9), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({
    reason: 'budget',
    truncated: true,
    message: 'The day is used up.',
  })
  expect(state.rounds).toHaveLength(2)
})

test('R5: a run whose first request is refused was not started, and nothing of it is cut', async () => {
  const refused = { type: 'refused', reason: 'The day is used up.' } as const
  const run = runFixture({ deps: { reserve: async () => refused } })
  const { end } = await runAgent(rounds(9), run.deps)
  expect(end).toMatchObject({ reason: 'budget', truncated: false, notStarted: true })
  expect(typesOf(run.events)).toEqual(['run-start', 'run-end'])
  const [start, ended] = run.events
  if (!start || ended?.type !== 'run-end') throw new Error('The run has no end.')
  const { notStarted: _, ...before } = ended.data
  const old = foldRun([start, { ...ended, data: { ...before, truncated: true } }])
  expect(old.end).toMatchObject({ truncated: false, notStarted: true })
})

test('R5: a budget that refuses only the fallback cuts no answer either', async () => {
  let requestCount = 0
  const run = runFixture({
    script: [fails('connection-changed')],
    deps: {
      reserve: async () =>
        ++requestCount === 1
          ? { type: 'held', reservationId: null, warning: null }
          : { type: 'refused', reason: 'The day is used up.' },
    },
  })
  const snapshot = runSnapshot({ targets: [modelTarget(), modelTarget()] })
  const { end } = await runAgent(runInput({ snapshot }), run.deps)
  expect(end).toMatchObject({ reason: 'budget', truncated: false, notStarted: false })
})

test.each([
  ['length', 'length', true],
  ['cut', 'length', true],
  ['content-filter', 'content-filter', false],
] as const)(
  'R10: after %s no call runs and the run ends as %s',
  async (finishReason, reason, truncated) => {
    const toolCalls = [{ id: 'x', name: 'look', argumentsText: '{"n":' }]
    const run = runFixture({
      script: [[finish({ finishReason, text: 'Half an ans', toolCalls })]],
      tools: [look],
    })
    const state = await runAgent(runInput(), run.deps)
    expect(typesOf(run.events)).toEqual([
      'run-start',
      'round-start',
      'message',
      'call-end',
      'run-end',
    ])
    expect(state.end).toMatchObject({ reason, truncated })
    expect(state.rounds[0]?.text).toBe('Half an ans')
  },
)

test('calls run although the provider called it a stop', async () => {
  const toolCalls = [{ id: 'x', name: 'look', argumentsText: '{}' }]
  const run = runFixture({
    script: [[finish({ finishReason: 'stop', toolCalls })], says('Done.')],
    tools: [look],
  })
  expect((await runAgent(runInput(), run.deps)).end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'call-start')).toHaveLength(1)
})

test('R16: what breaks inside becomes internal-error, its detail goes to the log', async () => {
  const run = runFixture({
    deps: { reserve: () => Promise.reject(new Error('password hunter2')) },
  })
  const state = await runAgent(runInput(), run.deps)
  expect(typesOf(run.events)).toEqual(['run-start', 'run-end'])
  expect(state.end).toMatchObject({ reason: 'internal-error', truncated: false })
  expect(state.end?.message).toContain(run.incidents[0]?.incidentId)
  expect(JSON.stringify(run.events)).not.toContain('hunter2')
})

test('a lost journal rejects with its own error and nothing is written after it', async () => {
  const lost = new JournalLostError('The storage is gone.')
  const run = runFixture({ script: [says('Hi.')] })
  const journal = { ...run.journal, begin: () => Promise.reject(lost) }
  await expect(runAgent(runInput(), { ...run.deps, journal })).rejects.toBe(lost)
  expect(typesOf(run.events)).toEqual(['run-start'])
})

test('a journal that is lost in the middle of a stream is not taken for a fault of the provider', async () => {
  const lost = new JournalLostError('Another process works on this run.')
  const run = runFixture({ script: [says('Hi there.')] })
  const show = () => {
    throw lost
  }
  const deps = { ...run.deps, journal: { ...run.journal, show } }
  await expect(runAgent(runInput(), deps)).rejects.toBe(lost)
  expect(typesOf(run.events)).toEqual(['run-start', 'round-start'])
})

test('messages and tools are the same objects in every request', async () => {
  const run = runFixture({ script: [...numbered(3), says('Done.')], tools: [look] })
  await runAgent(rounds(5), run.deps)
  const [first, second, third] = run.model.calls.map((call) => call.request)
  for (const [index, message] of (second?.messages ?? []).entries()) {
    expect(third?.messages[index]).toBe(message)
  }
  expect(second?.messages[0]).toBe(first?.messages[0])
  expect(second?.tools[0]).toBe(first?.tools[0])
})

test('takes further steps only as long as the caller says so', async () => {
  const script = [...numbered(2), says('Done.')]
  const { deps } = runFixture({ script, tools: [look] })
  const start = runStart(runInput(), { accepted: [], rejected: [] }, deps.newId)
  const between: string[] = []
  const goesOn = (state: Parameters<typeof nextStep>[0]) => between.push(nextStep(state).type) < 3
  const begun = applyRunEvent(initialRunState, deps.journal.append(start))
  const state = await advance(begun, deps, goesOn)
  expect(between).toEqual(['call-tools', 'call-model', 'call-tools'])
  expect(state.rounds).toHaveLength(2)
  expect((await advance(state, deps, () => true)).end?.reason).toBe('completed')
})

test('the same values give the same text, whatever their order, spacing or notation', () => {
  expect(canonicalJson('{"b":[1.0,{"y":2,"x":1}],"a":null}')).toBe(
    '{"a":null,"b":[1,{"x":1,"y":2}]}',
  )
  expect(canonicalJson(' {"b" : "\\u0061"} ')).toBe(canonicalJson('{"b":"a"}'))
})

test('text that is no JSON stands for itself', () => {
  expect(canonicalJson(' {"a": ')).toBe('{"a":')
})

test('nesting without end is no fault', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  expect(canonicalJson(deep)).toBe(deep)
})

test('R7: the third same call warns and tells the model, the fifth ends the run', async () => {
  const spellings = [
    '{"a":1,"b":2}',
    '{"b":2,"a":1}',
    ' {"a":1.0,"b":2}',
    '{"b":2, "a":1}',
    '{"a":1,"b":2}',
  ]
  let executed = 0
  const run = runFixture({
    script: spellings.map((args) => asks(['look', args])),
    tools: [testTool('look', { execute: async () => ({ content: String(++executed) }) })],
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ maxRounds: 20 }) }), run.deps)
  run.model.verify()
  expect(executed).toBe(4)
  expect(state.end).toMatchObject({ reason: 'loop', truncated: true })
  const warnings = eventsOf(run.events, 'warning').map((event) => event.data)
  expect(warnings).toMatchObject([{ code: 'loop', round: 3, tellModel: true }])
  const fourth = run.model.calls[3]?.request.messages.at(-1)
  expect(fourth).toHaveProperty(
    'content',
    expect.stringContaining('[Note from Toolgate: look was asked for three times'),
  )
  expect(state.rounds.at(-1)?.calls[0]?.state).toMatchObject({
    type: 'ended',
    outcome: { type: 'cancelled' },
  })
})

test('R7: other arguments or another tool are no loop', async () => {
  const run = runFixture({
    script: [
      ...[1, 2, 3, 4, 5].map((page) => asks(['look', { page }], ['see', { page: 0 - page }])),
      says('Done.'),
    ],
    tools: [testTool('look'), testTool('see')],
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot({ maxRounds: 20 }) }), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'warning')).toEqual([])
})

test('R7: five same calls in one response run none of them', async () => {
  const run = runFixture({
    script: [asks(...Array.from({ length: 5 }, (): [string] => ['look']))],
    tools: [testTool('look')],
  })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('loop')
  expect(eventsOf(run.events, 'call-start')).toEqual([])
})

test('R8: the time limit goes on after an approval, without the time that people took', async () => {
  const limit = 60_000
  const run = runFixture({
    script: [asks(['write', {}]), says('Never.')],
    tools: [
      testTool('write', {
        effect: 'write',
        timeoutMs: 20 * limit,
        execute: () => new Promise(() => undefined),
      }),
    ],
    subject: { toolApprovals: new Map([['write', true]]) },
  })
  const decision = { type: 'approved', by: 'Ada', userId: 'u-admin', message: '' } as const
  const state = await runAgent(runInput({ snapshot: runSnapshot({ timeLimitMs: limit }) }), {
    ...run.deps,
    readDecisions: async (waiting) => {
      await run.clock.sleep(3 * limit)
      return waiting.flatMap(({ approval }) =>
        approval ? [{ approvalId: approval.approvalId, decision }] : [],
      )
    },
  })
  expect(state.end).toMatchObject({ reason: 'time-limit', wallTimeMs: 4 * limit })
})
