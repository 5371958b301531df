import { describe, expect, test } from 'vitest'
import { JournalLostError } from '@/lib/engines/runtime/deps'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { FailureCategory, ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent } from '@/lib/protocol/model/message'
import type { FallbackKind } from '@/lib/protocol/parameters/parameter-values'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import type { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
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

const second = modelTarget({ modelRecordId: 'model-record-2', modelId: 'second-model' })
const both = [modelTarget(), second]
const chain = (fields: Partial<RunSnapshot> = {}) =>
  runInput({ snapshot: runSnapshot({ targets: both, ...fields }) })
const without = (...noFallbackOn: FallbackKind[]) => ({
  options: { ...defaultOptions, noFallbackOn },
})
const thought: ModelEvent = { type: 'reasoning-delta', text: 'Let me think about this for long.' }

type Row = [
  category: FailureCategory,
  fields: Partial<ProviderFailure>,
  /** Requests to the first model. */
  tries: number,
  kind: FallbackKind | null,
]

const rows: Row[] = [
  ['connection', {}, 3, 'connection'],
  ['timeout', {}, 3, 'connection'],
  ['rate-limited', { status: 429 }, 3, 'rate-limited'],
  ['rate-limited', { status: 429, retryAfterMs: 3_600_000 }, 1, 'rate-limited'],
  ['server', { status: 500 }, 3, 'server'],
  ['overloaded', { status: 529 }, 3, 'server'],
  ['circuit-open', {}, 1, 'connection'],
  ['connection-changed', {}, 1, 'connection'],
  ['auth', { status: 401 }, 1, 'auth'],
  ['forbidden', { status: 403 }, 1, 'auth'],
  ['no-credit', { status: 402 }, 1, 'no-credit'],
  ['no-credit', { status: 429 }, 1, 'no-credit'],
  ['not-found', { status: 404 }, 1, 'not-found'],
  ['invalid-response', { status: 200, cause: 'web-page' }, 1, 'web-page'],
  ['context-length', { status: 400 }, 1, 'context-length'],
  ['connection', { cause: 'broken-stream' }, 1, 'broken-stream'],
  ['timeout', { cause: 'broken-stream' }, 1, 'broken-stream'],
  ['bad-request', { status: 400 }, 1, null],
  ['invalid-response', { status: 200 }, 1, null],
  ['egress', {}, 1, null],
]

test('G-R: a connection that was switched off before the request was sent ends the run, whatever could answer next', async () => {
  const run = runFixture({ script: [fails('connection-changed', { cause: 'connection-off' })] })
  const state = await runAgent(chain(), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'revoked' })
  expect(eventsOf(run.events, 'model-fallback')).toEqual([])
})

describe.each(rows)('R15: %s %o', (category, fields, tries, kind) => {
  const failing = Array<ModelEvent[]>(tries).fill(fails(category, fields))

  test(kind ? `is asked ${tries} times, then the next model` : 'ends the run', async () => {
    const run = runFixture({ script: kind ? [...failing, says('Here.')] : failing })
    const state = await runAgent(chain(), run.deps)
    run.model.verify()
    const hops = eventsOf(run.events, 'model-fallback').map(({ data }) => data)
    if (!kind) {
      expect(hops).toEqual([])
      expect(state.end).toMatchObject({
        reason: 'provider-error',
        message: `It failed: ${category}.`,
      })
      return
    }
    expect(state.end?.reason).toBe('completed')
    expect(run.model.calls.at(-1)?.request.modelId).toBe('second-model')
    expect(hops).toMatchObject([
      { round: 1, from: 0, to: 1, failure: { category }, failedCall: { target: 0 } },
    ])
    expect(eventsOf(run.events, 'model-retry')).toHaveLength(tries - 1)
    expect(eventsOf(run.events, 'message')[0]?.data.target).toBe(1)
  })

  test('ends the run of a single model, without a word of others', async () => {
    const alone = kind === 'broken-stream' ? 3 : tries
    const run = runFixture({ script: Array(alone).fill(fails(category, fields)) })
    const state = await runAgent(chain({ targets: [modelTarget()] }), run.deps)
    run.model.verify()
    expect(state.end).toMatchObject({ message: `It failed: ${category}.`, failure: { category } })
  })
})

const handedOn = rows.flatMap(([category, fields, tries, kind]) =>
  kind ? [{ category, fields, tries, kind }] : [],
)

test.each(handedOn)(
  'R15: $category ends the run where $kind is switched off, and says why',
  async ({ category, fields, tries, kind }) => {
    // A broken stream counts as not begun: without another model, the same one is tried again.
    const alone = kind === 'broken-stream' ? 3 : tries
    const run = runFixture({ script: Array(alone).fill(fails(category, fields)) })
    const state = await runAgent(chain(without(kind)), run.deps)
    run.model.verify()
    expect(eventsOf(run.events, 'model-fallback')).toEqual([])
    const reason = category === 'context-length' ? 'context' : 'provider-error'
    expect(state.end).toMatchObject({ reason, failure: { category } })
    expect(state.end?.message).toMatch(
      /The next model was not asked: .+ends a run after this failure/,
    )

    const others = without(...rows.flatMap((row) => (row[3] && row[3] !== kind ? [row[3]] : [])))
    const failing = Array<ModelEvent[]>(tries).fill(fails(category, fields))
    const hops = runFixture({ script: [...failing, says('Here.')] })
    expect((await runAgent(chain(others), hops.deps)).end?.reason).toBe('completed')
  },
)

test('R15: the run ends with the failure of the last model and says which were tried', async () => {
  const third = modelTarget({ modelId: 'third-model', connectionName: 'Third' })
  const run = runFixture({ script: [fails('auth'), fails('not-found'), fails('no-credit')] })
  const state = await runAgent(chain({ targets: [...both, third] }), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({
    reason: 'provider-error',
    failure: { category: 'no-credit' },
    failedCall: { target: 2 },
    message:
      'It failed: no-credit. The run tried test-model (Test), then second-model (Test), then third-model (Third).',
  })
})

test.each<[string, ModelEvent]>([
  ['text', { type: 'text-delta', text: 'Once upon' }],
  ['a call', { type: 'tool-call-delta', index: 0, name: 'look', argumentsText: '' }],
])('R15: never after %s was shown, whatever fails', async (_what, shown) => {
  for (const [category, fields] of rows) {
    const run = runFixture({ script: [[thought, shown, ...fails(category, fields)]] })
    const state = await runAgent(chain(), run.deps)
    expect(typesOf(run.events)).toEqual(['run-start', 'round-start', 'message', 'run-end'])
    expect(state.end?.failure?.category).toBe(category)
    expect(state.rounds[0]?.calls).toEqual([])
  }
})

describe('a stream that broke after thoughts alone', () => {
  const reservations = () => {
    const held: string[] = []
    const released: string[] = []
    return {
      held,
      released,
      deps: {
        reserve: async () => {
          const reservationId = `00000000-0000-7000-9000-${String(held.length).padStart(12, '0')}`
          held.push(reservationId)
          return { type: 'held', reservationId, warning: null } as const
        },
        release: async (id: string) => void released.push(id),
      },
    }
  }

  test.each<[string, ModelEvent[]]>([
    ['a broken connection', [thought, ...fails('connection')]],
    ['silence', [thought, ...fails('timeout')]],
    ['an end without its marker', [thought, finish({ finishReason: 'cut', usage: null })]],
    ['blanks', [thought, { type: 'text-delta', text: '\n ' }, ...fails('connection')]],
    ['nothing more', [thought]],
  ])('R15, M5: by %s goes to the next model at once, and its tokens count', async (_, broken) => {
    const money = reservations()
    const run = runFixture({ script: [broken, says('Here.')], deps: money.deps })
    const state = await runAgent(chain(), run.deps)
    run.model.verify()
    expect(state.end?.reason).toBe('completed')
    const [hop] = eventsOf(run.events, 'model-fallback').map(({ data }) => data)
    expect(hop).toMatchObject({ from: 0, to: 1, failure: { cause: 'broken-stream' } })
    const used = hop?.failedCall?.used
    expect(used).toMatchObject({ reservationId: money.held[0], usage: { estimated: true } })
    expect(used?.usage.inputTokens).toBeGreaterThan(0)
    const thoughts = used?.usage.outputTokens ?? 0
    expect(thoughts).toBeGreaterThanOrEqual(9)
    expect(used?.costMicroUsd).toBeGreaterThan(0)
    // Settled with its record, not given back.
    expect(money.held).toHaveLength(2)
    expect(money.released).toEqual([])
    expect(state.usage.outputTokens).toBe(thoughts + 10)
    expect(state.costMicroUsd).toBe((used?.costMicroUsd ?? 0) + 120)
    expect(state.rounds[0]?.reasoningText).toBe('')
  })

  test('R15, M2: is tried again where there is no other model, each try held for itself', async () => {
    const money = reservations()
    const broken = [thought, ...fails('connection')]
    const run = runFixture({ script: [broken, broken, says('Here.')], deps: money.deps })
    const state = await runAgent(chain({ targets: [modelTarget()] }), run.deps)
    run.model.verify()
    expect(state.end?.reason).toBe('completed')
    expect(eventsOf(run.events, 'model-retry').map(({ data }) => data)).toMatchObject([
      { attempt: 1, failedCall: { retries: 0, used: { reservationId: money.held[0] } } },
      { attempt: 2, failedCall: { retries: 0, used: { reservationId: money.held[1] } } },
    ])
    expect(typesOf(run.events)).toEqual([
      'run-start',
      'round-start',
      'model-retry',
      'round-start',
      'model-retry',
      'round-start',
      'message',
      'run-end',
    ])
    expect(eventsOf(run.events, 'message')[0]?.data).toMatchObject({
      retries: 0,
      reservationId: money.held[2],
    })
    expect(money.released).toEqual([])
  })

  test('R15: ends the run with what was thought when every try breaks', async () => {
    const run = runFixture({ script: Array(3).fill([thought, ...fails('connection')]) })
    const state = await runAgent(chain({ targets: [modelTarget()] }), run.deps)
    run.model.verify()
    expect(state.end).toMatchObject({ reason: 'provider-error' })
    expect(state.rounds[0]?.reasoningText).toBe(thought.type === 'reasoning-delta' && thought.text)
    expect(state.usage.outputTokens).toBe(27)
  })

  test('M4: may reach a cost cap, and then the next request is the closing one', async () => {
    const run = runFixture({
      script: [[thought, ...fails('connection')], says('Closing.')],
      tools: [testTool('look')],
    })
    const costCaps = [{ scope: 'run' as const, limitMicroUsd: 1, mode: 'enforce' as const }]
    const state = await runAgent(chain({ costCaps }), run.deps)
    run.model.verify()
    expect(run.model.calls.map(({ request }) => request.tools.length)).toEqual([1, 0])
    expect(run.model.calls[1]?.request.modelId).toBe('second-model')
    expect(state.end?.reason).toBe('cost-cap')
    expect(eventsOf(run.events, 'warning').map(({ data }) => data.code)).toEqual(['cost-cap'])
  })
})

test('R15: in a later round too, and the rounds after it stay with the new model', async () => {
  const run = runFixture({
    script: [asks(['look']), fails('auth'), asks(['look', { n: 2 }]), says('Done.')],
    tools: [testTool('look')],
  })
  const state = await runAgent(chain(), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  expect(eventsOf(run.events, 'message').map(({ data }) => data.target)).toEqual([0, 1, 1])
  expect(run.model.calls[2]?.request.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ])
})

test('M2: what was held for a request that could not be begun is given back, also when the journal is gone', async () => {
  const released: string[] = []
  const reservationId = '00000000-0000-7000-9000-000000000001'
  const run = runFixture({
    deps: {
      reserve: async () => ({ type: 'held', reservationId, warning: null }),
      release: async (id) => void released.push(id),
    },
  })
  const begin = () => Promise.reject(new JournalLostError('Another process works on this run.'))
  const journal = { ...run.journal, begin }
  await expect(runAgent(chain(), { ...run.deps, journal })).rejects.toThrow(JournalLostError)
  expect(released).toEqual([reservationId])
})
