import { expect, test } from 'vitest'
import { HandoverError, type Journal, JournalLostError } from '@/lib/engines/runtime/deps'
import { notRegistered } from '@/lib/engines/runtime/policy/gates'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { eventsOf, runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'

const ten: [string, object][] = Array.from({ length: 10 }, (_, n) => ['look', { n }])

const five = [...Array(5).keys()].map((n) => ({ n }))

/** Returns a tool whose calls take 1 s and that counts how many of them overlap. */
function slowTool(name: string, fields: Parameters<typeof testTool>[1] = {}) {
  const seen = {
    now: 0,
    most: 0,
    order: [] as unknown[],
    clock: (_ms: number) => Promise.resolve(),
  }
  const tool = testTool(name, {
    execute: async (args) => {
      seen.order.push(args)
      seen.most = Math.max(seen.most, ++seen.now)
      await seen.clock(1000)
      seen.now--
      return { content: JSON.stringify(args) }
    },
    ...fields,
  })
  return { tool, seen }
}

test('R6: reads run four at a time, results stay in call order', async () => {
  const { tool, seen } = slowTool('look')
  const run = runFixture({ script: [asks(...ten), says('Done.')], tools: [tool] })
  // Each call takes less time than the one before it, so they end in another order than they began.
  let next = 10
  seen.clock = () => run.clock.sleep(100 * next--)
  await runAgent(runInput(), run.deps)
  expect(seen.most).toBe(4)
  const messages = run.model.calls[1]?.request.messages ?? []
  const contents = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
  expect(contents.map((content) => /"n":(\d+)/.exec(content)?.[1])).toEqual(
    [...ten.keys()].map(String),
  )
})

test.each(['write', 'idempotent-write'] as const)(
  'R6: as soon as one call is a %s, all run in order',
  async (effect) => {
    const { tool, seen } = slowTool('look')
    const run = runFixture({
      script: [asks(...ten.slice(0, 4), ['save']), says('Done.')],
      tools: [tool, testTool('save', { effect })],
    })
    seen.clock = run.clock.sleep
    await runAgent(runInput(), run.deps)
    expect(seen.most).toBe(1)
    const started = eventsOf(run.events, 'call-start').map((event) => event.data.name)
    expect(started).toEqual(['look', 'look', 'look', 'look', 'save'])
  },
)

test.each([
  [3, 'start runs', []],
  [1, 'do not all start runs', [['look', {}]]],
  [1, 'do not all start runs', [['save', {}]]],
  [1, 'do not all start runs', [['nothing', {}]]],
] as [number, string, [string, object][]][])(
  'R6: calls that start runs: %i at once when the calls of the answer %s',
  async (most, _which, others) => {
    const { tool, seen } = slowTool('spawn', { effect: 'write', startsRuns: true })
    const run = runFixture({
      script: [asks(...five.map((n): [string, object] => ['spawn', n]), ...others), says('Done.')],
      tools: [tool, testTool('look'), testTool('save', { effect: 'write' })],
    })
    seen.clock = run.clock.sleep
    const state = await runAgent(runInput(), run.deps)
    expect(seen.most).toBe(most)
    expect(seen.order).toEqual(five)
    const results = state.rounds[0]?.calls.map((call) => call.state)
    expect(results?.slice(0, 5)).toMatchObject(
      five.map((n) => ({ outcome: { content: JSON.stringify(n) } })),
    )
  },
)

test('R6: the seventeenth call and later are denied', async () => {
  const calls: [string, object][] = Array.from({ length: 19 }, (_, n) => ['look', { n }])
  const run = runFixture({ script: [asks(...calls), says('Done.')], tools: [testTool('look')] })
  const state = await runAgent(runInput(), run.deps)
  expect(eventsOf(run.events, 'call-start')).toHaveLength(16)
  const outcomes = state.rounds[0]?.calls.map(
    (call) => call.state.type === 'ended' && call.state.outcome,
  )
  expect(outcomes?.slice(16)).toMatchObject(Array(3).fill({ type: 'denied', gate: 'round-limit' }))
  expect(eventsOf(run.events, 'warning').map((event) => event.data.code)).toEqual([
    'too-many-calls',
  ])
})

test('R9: Stop aborts calls in flight and starts no other', async () => {
  const signals: AbortSignal[] = []
  const run = runFixture({
    script: [asks(...ten)],
    tools: [
      testTool('look', {
        execute: (_args, { signal }) => {
          signals.push(signal)
          if (signals.length === 4)
            run.stop({ type: 'cancelled', by: 'Ada', reason: 'wrong prompt' })
          return new Promise(() => undefined)
        },
      }),
    ],
  })
  const startedAt = run.clock.now()
  const state = await runAgent(runInput(), run.deps)
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true, true, true])
  expect(run.clock.now() - startedAt).toBeLessThan(2000)
  expect(state.end).toMatchObject({ reason: 'cancelled', message: 'Stopped by Ada.' })
  expect(state.cancelRequested).toEqual({ by: 'Ada', reason: 'wrong prompt' })
  expect(eventsOf(run.events, 'call-end')).toHaveLength(10)
  expect(eventsOf(run.events, 'call-end').map((event) => event.data.outcome.type)).toEqual(
    Array(10).fill('cancelled'),
  )
})

test('handover: reads are left open for the next process, nothing is written after', async () => {
  const run = runFixture({
    script: [asks(...ten)],
    tools: [
      testTool('look', {
        execute: () => {
          run.stop({ type: 'handover' })
          return new Promise(() => undefined)
        },
      }),
    ],
  })
  await expect(runAgent(runInput(), run.deps)).rejects.toThrow(HandoverError)
  expect(eventsOf(run.events, 'call-end')).toEqual([])
  expect(eventsOf(run.events, 'run-end')).toEqual([])
})

test.each([
  [1, {}],
  [3, { startsRuns: true as const }],
])(
  'handover: %i writes in flight are brought to their end, the next one is not begun',
  async (begun, fields) => {
    const run = runFixture({
      script: [asks(...five.map((n): [string, object] => ['save', n]))],
      tools: [
        testTool('save', {
          effect: 'write',
          ...fields,
          execute: async (_args, { signal }) => {
            if (eventsOf(run.events, 'call-start').length === begun) run.stop({ type: 'handover' })
            await run.clock.sleep(5000)
            return { content: signal.aborted ? 'aborted' : 'saved' }
          },
        }),
      ],
    })
    let flushed = 0
    const flush = async () => {
      flushed = run.events.length
    }
    const deps = { ...run.deps, journal: { ...run.journal, flush } }
    await expect(runAgent(runInput(), deps)).rejects.toThrow(HandoverError)
    expect(flushed).toBe(run.events.length)
    expect(eventsOf(run.events, 'call-start')).toHaveLength(begun)
    expect(eventsOf(run.events, 'call-end').map((event) => event.data.outcome)).toMatchObject(
      Array(begun).fill({ type: 'ok', content: 'saved' }),
    )
    expect(eventsOf(run.events, 'run-end')).toEqual([])
  },
)

test('a journal that is lost stops the step at once: no event after it', async () => {
  const run = runFixture({
    script: [asks(...ten)],
    tools: [
      testTool('look', { execute: () => run.clock.sleep(1000).then(() => ({ content: '' })) }),
    ],
  })
  const lost = new JournalLostError('Another process works on this run.')
  let begun = 0
  const late: string[] = []
  const journal: Journal = {
    ...run.journal,
    append: (body) => {
      if (begun >= 3) late.push(body.type)
      return run.journal.append(body)
    },
    begin: async (start, decide) => {
      if (start.type !== 'call-start' || ++begun < 3) return run.journal.begin(start, decide)
      if (begun === 3) throw lost
      await run.clock.sleep(1000)
      return { verdict: notRegistered, event: null }
    },
  }
  await expect(runAgent(runInput(), { ...run.deps, journal })).rejects.toBe(lost)
  await run.clock.sleep(60_000)
  expect(late).toEqual([])
  expect(begun).toBe(4)
  expect(run.incidents).toEqual([])
})

test('a journal that is lost while a result is kept is lost too', async () => {
  const lost = new JournalLostError('The storage is gone.')
  const run = runFixture({
    script: [asks(['look'])],
    tools: [testTool('look', { execute: async () => ({ content: 'x'.repeat(70_000) }) })],
  })
  const journal = { ...run.journal, saveResult: () => Promise.reject(lost) }
  await expect(runAgent(runInput(), { ...run.deps, journal })).rejects.toBe(lost)
  expect(eventsOf(run.events, 'call-end')).toEqual([])
})

test('a round with an unknown tool among reads still runs the others', async () => {
  const run = runFixture({
    script: [asks(['look'], ['nothing']), says('Done.')],
    tools: [testTool('look')],
  })
  const state = await runAgent(runInput({ snapshot: runSnapshot() }), run.deps)
  const types = state.rounds[0]?.calls.map(
    (call) => call.state.type === 'ended' && call.state.outcome.type,
  )
  expect(types).toEqual(['ok', 'denied'])
})
