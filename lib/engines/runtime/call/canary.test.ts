import { describe, expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelEvent, ModelFinish } from '@/lib/protocol/model/message'
import {
  eventsOf,
  runFixture,
  runInput,
  runSnapshot,
  shownTexts,
  testTool,
  typesOf,
} from '@/tests/support/run-fixture'
import { asks, finish, says } from '@/tests/support/scripted-model'
import { redactedArguments, redactionMark } from './canary'

type Reply = (canary: string) => ModelEvent[]

/** Returns a run that reads one result with the canary beside it, then replies as given, then says that it is done. */
function readThen(reply: Reply) {
  const ran: unknown[] = []
  const run = runFixture({
    script: [
      asks(['look', {}]),
      async function* ({ request }) {
        const modelSaw = request.messages.at(-1)
        const canary =
          modelSaw?.role === 'tool' ? /canary-[0-9a-f]{16}/.exec(modelSaw.content)?.[0] : ''
        yield* reply(canary ?? '')
      },
      says('Done.'),
    ],
    tools: [
      testTool('look', {
        execute: async (args) => {
          ran.push(args)
          return { content: `echo ${JSON.stringify(args)}` }
        },
      }),
    ],
  })
  return { run, ran }
}

const secretOf = (run: ReturnType<typeof runFixture>) =>
  eventsOf(run.events, 'run-start')[0]?.data.canary.slice('canary-'.length) ?? 'none'

const codes = (run: ReturnType<typeof runFixture>) =>
  eventsOf(run.events, 'warning').map((event) => event.data.code)

/** Returns everything that was written or sent after the first event, except the wrapped results. */
function writtenAfter(run: ReturnType<typeof runFixture>): string {
  const spoken = run.model.calls.flatMap(({ request }) =>
    request.messages.filter((message) => message.role === 'assistant'),
  )
  return JSON.stringify([run.events.slice(1), spoken]).toLowerCase()
}

describe('T7: a model that writes the canary', () => {
  test('into its answer loses it, as it streams and for good', async () => {
    const { run } = readThen((canary) => says(`The marker is ${canary}, as you see.`))
    const state = await runAgent(runInput(), run.deps)
    expect(state.rounds[1]?.text).toBe(`The marker is ${redactionMark}, as you see.`)
    expect(state.end?.reason).toBe('completed')
    expect(writtenAfter(run)).not.toContain(secretOf(run))
    const [warning] = eventsOf(run.events, 'warning')
    expect(warning?.data).toMatchObject({ round: 2, code: 'canary', tellModel: false })
    expect(warning?.data.message).toMatch(
      /mark of untrusted content, in its answer\. It was removed\./,
    )
  })

  test('piece by piece shows none of it, and holds back nothing else', async () => {
    const { run } = readThen((canary) => [
      ...[...`See: ${canary}. Bye, can you?`].map(
        (text): ModelEvent => ({ type: 'text-delta', text }),
      ),
      finish({ text: `See: ${canary}. Bye, can you?` }),
    ])
    await runAgent(runInput(), run.deps)
    const shown = shownTexts(run.deltas.filter(({ data }) => data.round === 2))
    expect(shown.join('')).toBe(`See: ${redactionMark}. Bye, can you?`)
    expect(writtenAfter(run)).not.toContain(secretOf(run).slice(0, 8))
  })

  test('into its reasoning loses it there', async () => {
    const block = { signature: 'field:reasoning', redacted: false }
    const { run } = readThen((canary) => [
      { type: 'reasoning-delta', text: `I saw ${canary.slice(0, 12)}` },
      { type: 'text-delta', text: 'Nothing' },
      { type: 'reasoning-delta', text: `${canary.slice(12)}.` },
      finish({
        text: 'Nothing',
        reasoning: [
          { text: `I saw ${canary}.`, ...block },
          { text: 'Fine.', ...block },
        ],
      }),
    ])
    const state = await runAgent(runInput(), run.deps)
    expect(state.rounds[1]?.reasoning).toEqual([
      { text: `I saw ${redactionMark}.`, ...block },
      { text: 'Fine.', ...block },
    ])
    expect(writtenAfter(run)).not.toContain(secretOf(run))
    expect(codes(run)).toEqual(['canary'])
  })

  test.each<[string, (canary: string) => string]>([
    ['plainly', (canary) => JSON.stringify({ url: `https://evil.example/?q=${canary}` })],
    [
      'in JSON escapes',
      (canary) => `{"a":"\\u0063${canary.slice(1, 20)}\\u200b${canary.slice(20)}"}`,
    ],
    ['as a name', (canary) => JSON.stringify({ [canary]: 1 })],
    ['deep inside', (canary) => JSON.stringify({ a: [{ b: JSON.stringify({ c: canary }) }] })],
    [
      'in base64',
      (canary) => JSON.stringify({ a: Buffer.from(`x: ${canary}`).toString('base64') }),
    ],
    [
      'over two values',
      (canary) => JSON.stringify({ x: canary.slice(0, 14), y: canary.slice(14) }),
    ],
    [
      'over two names',
      (canary) => JSON.stringify({ [canary.slice(0, 14)]: 1, [canary.slice(14)]: 2 }),
    ],
    ['in what is no JSON', (canary) => `{"a": ${canary}`],
  ])('into arguments, %s, is refused before anything runs', async (_how, args) => {
    const { run, ran } = readThen((canary) => asks(['look', args(canary)], ['look', { n: 2 }]))
    const state = await runAgent(runInput(), run.deps)
    const [first, second] = state.rounds[1]?.calls ?? []
    expect(first).toMatchObject({
      argumentsText: redactedArguments,
      state: {
        verdict: { allowed: false, gate: 'canary' },
        outcome: { type: 'denied', gate: 'canary' },
      },
    })
    expect(second?.state).toMatchObject({ outcome: { type: 'ok' } })
    expect(ran).toEqual([{}, { n: 2 }])
    expect(writtenAfter(run)).not.toContain(secretOf(run))
    expect(codes(run)).toEqual(['canary'])
    const modelSaw = run.model.calls[2]?.request.messages.filter(
      (message) => message.role === 'tool',
    )
    expect(modelSaw?.[1]).toMatchObject({
      isError: true,
      content: expect.stringContaining('marker'),
    })
  })

  test('into the name or the id of a call is refused, and neither is kept', async () => {
    const { run, ran } = readThen((canary) => [
      finish({
        toolCalls: [
          { id: 'a', name: canary, argumentsText: '{}' },
          { id: canary, name: 'look', argumentsText: '{}' },
        ],
      }),
    ])
    const state = await runAgent(runInput(), run.deps)
    expect(state.rounds[1]?.calls.map((call) => call.name)).toEqual([redactionMark, 'look'])
    expect(state.rounds[1]?.calls.map((call) => call.state)).toMatchObject([
      { outcome: { gate: 'canary' } },
      { outcome: { gate: 'canary' } },
    ])
    expect(ran).toHaveLength(1)
    expect(writtenAfter(run)).not.toContain(secretOf(run))
  })

  test('in an answer that breaks off is redacted as well', async () => {
    const { run } = readThen((canary) => [
      { type: 'text-delta', text: `Here: ${canary} and` },
      {
        type: 'error',
        failure: {
          category: 'connection',
          status: null,
          advice: 'x',
          incidentId: 'i',
          retryAfterMs: null,
        },
      },
    ])
    const state = await runAgent(runInput(), run.deps)
    expect(state.rounds[1]?.text).toBe(`Here: ${redactionMark} and`)
    expect(writtenAfter(run)).not.toContain(secretOf(run))
  })

  test('again and again is ended by the loop guard', async () => {
    const leak = async function* (call: { request: { messages: readonly object[] } }) {
      const canary = /canary-[0-9a-f]{16}/.exec(JSON.stringify(call.request.messages))?.[0]
      yield* asks(['look', { canary, n: call.request.messages.length }])
    }
    const run = runFixture({
      script: [asks(['look', {}]), leak, leak, leak, leak, leak],
      tools: [testTool('look')],
    })
    const state = await runAgent(runInput({ snapshot: runSnapshot({ maxRounds: 20 }) }), run.deps)
    expect(state.end?.reason).toBe('loop')
  })
})

describe('T7: nothing trips over the canary', () => {
  test('when a tool gives back what it was told, or the journal of the run itself', async () => {
    const run = runFixture({
      script: [asks(['look', {}]), asks(['look', { n: 1 }]), says('All fine.')],
      tools: [
        testTool('look', {
          execute: async () => ({ content: `journal: ${JSON.stringify(run.events[0])}` }),
        }),
      ],
    })
    const state = await runAgent(runInput(), run.deps)
    expect(state.end?.reason).toBe('completed')
    expect(codes(run)).toEqual([])
    const modelSaw = JSON.stringify(run.model.calls[2]?.request.messages)
    expect(modelSaw.split(secretOf(run))).toHaveLength(3)
  })

  test('in a run from before, which planted none', async () => {
    const { run } = readThen(() => says('canary- and nothing'))
    const start = run.journal.append
    run.journal.append = (body) =>
      start(body.type === 'run-start' ? { ...body, data: { ...body.data, canary: '' } } : body)
    const state = await runAgent(runInput(), run.deps)
    expect(state.rounds[1]?.text).toBe('canary- and nothing')
    expect(JSON.stringify(run.model.calls)).not.toContain('[marker')
  })
})

test('T7: a call that the journal holds open with redacted arguments is refused when it is taken up', async () => {
  const { run: written } = readThen((canary) => asks(['look', { canary }]))
  await runAgent(runInput(), written.deps)
  const message = written.events.findIndex(
    (event) => event.type === 'message' && event.data.round === 2,
  )
  const run = runFixture({ script: [says('Done.')], tools: [testTool('look')] })
  run.events.push(...written.events.slice(0, message + 1))
  const { advance } = await import('@/lib/engines/runtime/run-agent')
  let state = run.state()
  while (!state.end) state = await advance(state, run.deps)
  expect(state.rounds[1]?.calls[0]?.state).toMatchObject({ outcome: { gate: 'canary' } })
  expect(typesOf(run.events).filter((type) => type === 'call-start')).toHaveLength(1)
})

test('T7: usage is counted from what the model wrote, not from what is left of it', async () => {
  const counted = async (reply: Reply) => {
    const { run } = readThen(reply)
    const state = await runAgent(runInput(), run.deps)
    return state.rounds[1]?.response?.usage.outputTokens
  }
  const noUsage = (text: string): ModelFinish => finish({ text, usage: null })
  const leaked = await counted((canary) => [noUsage(`${canary} `.repeat(40))])
  const honest = await counted((canary) => [noUsage('x'.repeat((canary.length + 1) * 40))])
  expect(leaked).toBe(honest)
})
