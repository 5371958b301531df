import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { estimateTokens } from '@/lib/engines/runtime/spend/count-tokens'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, fails, says } from '@/tests/support/scripted-model'
import { contextLimit } from './fit-context'

const big = testTool('big', { execute: async () => ({ content: 'x'.repeat(8000) }) })

test('R13: the limit is the window less max output less 3 %', () => {
  const target = modelTarget({ contextTokens: 100_000, maxOutputTokens: 8000 })
  expect(contextLimit(target, null)).toBe(89_000)
  expect(contextLimit(target, 2000)).toBe(95_000)
  expect(contextLimit(modelTarget({ contextTokens: 100_000 }), null)).toBe(92_904)
  expect(contextLimit(modelTarget({ contextTokens: 8000, maxOutputTokens: 8000 }), null)).toBe(3760)
  expect(contextLimit(modelTarget(), null)).toBe(Number.POSITIVE_INFINITY)
})

test('other alphabets cost more tokens than plain English', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('abcdefgh')).toBe(2)
  expect(estimateTokens('日本語で書く')).toBeGreaterThan(5)
})

test('R13: oldest rounds are dropped, and journal and model are told', async () => {
  const script = [1, 2, 3, 4].map((n) => asks(['big', { n }]))
  const run = runFixture({ script: [...script, says('Done.')], tools: [big] })
  const targets = [modelTarget({ contextTokens: 8000, maxOutputTokens: 1000 })]
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets, maxRounds: 9 }) }),
    run.deps,
  )
  expect(state.end?.reason).toBe('completed')
  const warnings = eventsOf(run.events, 'warning').map((event) => event.data)
  expect(warnings).toMatchObject([
    { code: 'context-pruned', round: 5, prunedThrough: 1, tellModel: true },
  ])
  const last = run.model.calls[4]?.request.messages ?? []
  expect(last.map((message) => message.role)).toEqual([
    'user',
    ...Array(3).fill(['assistant', 'tool']).flat(),
  ])
  expect(last[0]).toHaveProperty(
    'text',
    expect.stringContaining('[Note from Toolgate: Earlier rounds'),
  )
  for (const event of eventsOf(run.events, 'round-start')) {
    expect(event.data.contextTokens).toBeLessThanOrEqual(8000 - 1000 - 240)
  }
})

test('R13: a configured limit counts as far as the model can write', async () => {
  const run = runFixture({
    script: [...Array(3).fill(fails('server')), says('From the second.')],
  })
  const targets = [modelTarget(), modelTarget({ contextTokens: 32_768, maxOutputTokens: 4_096 })]
  const parameters = { ...runSnapshot().parameters, maxOutputTokens: 64_000 }
  const state = await runAgent(
    runInput({ snapshot: runSnapshot({ targets, parameters }) }),
    run.deps,
  )
  expect(state.end?.reason).toBe('completed')
  expect(run.model.calls.at(-1)?.request.parameters.maxOutputTokens).toBe(4_096)
})

test('R15: a fallback that the conversation does not fit is passed over, and the trace says so', async () => {
  const small = modelTarget({ modelId: 'small', contextTokens: 300 })
  const last = modelTarget({ modelId: 'last' })
  const broken = Array(3).fill(fails('server'))
  const run = runFixture({ script: [...broken, says('From the last.')] })
  const targets = [modelTarget(), small, last]
  const input = runInput({ prompt: 'x'.repeat(4_000), snapshot: runSnapshot({ targets }) })
  expect((await runAgent(input, run.deps)).end?.reason).toBe('completed')
  expect(run.model.calls.at(-1)?.request.modelId).toBe('last')
  const [away, over] = eventsOf(run.events, 'model-fallback').map(({ data }) => data)
  expect(away).toMatchObject({ from: 0, to: 1, failure: { category: 'server' } })
  expect(over).toMatchObject({
    from: 1,
    to: 2,
    failure: {
      category: 'context-length',
      advice: expect.stringContaining(
        'may have 141: of the 300 tokens that the context window of small has, 150 are kept for the answer and 9 as a margin.',
      ),
    },
  })
  expect(over).not.toHaveProperty('failedCall')

  const alone = runFixture({ script: broken })
  const none = runInput({ ...input, snapshot: runSnapshot({ targets: [modelTarget(), small] }) })
  expect((await runAgent(none, alone.deps)).end?.reason).toBe('context')
})

test('R13, R15: what does not fit goes to the next model that takes it, before the provider is called', async () => {
  const large = modelTarget({ modelId: 'large', contextTokens: 64_000 })
  const small = modelTarget({ modelId: 'small', contextTokens: 9_000 })
  const targets = [modelTarget({ contextTokens: 8_000 }), small, large]
  const run = runFixture({ script: [says('From the large one.')] })
  const prompt = 'x'.repeat(40_000)
  const state = await runAgent(runInput({ prompt, snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(run.model.calls[0]?.request.modelId).toBe('large')
  expect(typesOf(run.events).slice(0, 4)).toEqual([
    'run-start',
    'model-fallback',
    'model-fallback',
    'round-start',
  ])
  expect(state.notes).toEqual([])
  expect(state.rounds[0]?.notes.slice(0, 2)).toMatchObject([
    { type: 'fallback', data: { from: 0, to: 1, failure: { category: 'context-length' } } },
    { type: 'fallback', data: { from: 1, to: 2 } },
  ])

  const off = runFixture({})
  const options = { ...defaultOptions, noFallbackOn: ['context-length' as const] }
  const stays = runSnapshot({ targets, options })
  const ended = await runAgent(runInput({ prompt, snapshot: stays }), off.deps)
  expect(ended.end?.message).toContain(
    'the 8\u202f000 tokens that the context window of test-model has',
  )
  expect(ended.end?.message).toContain('The next model was not asked')
})

test('R13: what fits no model ends the run before a provider is called', async () => {
  const run = runFixture({})
  const targets = [modelTarget({ contextTokens: 8000 }), modelTarget({ contextTokens: 9000 })]
  const input = runInput({ prompt: 'x'.repeat(40_000), snapshot: runSnapshot({ targets }) })
  const state = await runAgent(input, run.deps)
  expect(typesOf(run.events)).toEqual(['run-start', 'run-end'])
  expect(state.end).toMatchObject({
    reason: 'context',
    truncated: false,
    notStarted: true,
    message: expect.stringContaining(
      'the 8\u202f000 tokens that the context window of test-model has',
    ),
  })
})

test('R13: the newest round is never dropped', async () => {
  const run = runFixture({
    script: [asks(['big'], ['big', { n: 2 }], ['big', { n: 3 }])],
    tools: [big],
  })
  const targets = [modelTarget({ contextTokens: 6000, maxOutputTokens: 500 })]
  const state = await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  expect(state.end?.reason).toBe('context')
  expect(state.prunedThrough).toBe(0)
  expect(run.model.calls).toHaveLength(1)
})
