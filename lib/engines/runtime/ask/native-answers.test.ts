import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { Message, ModelFinish } from '@/lib/protocol/model/message'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { fails, finish, says } from '@/tests/support/scripted-model'

/** JSON as a provider may write it: nothing of it survives being parsed and written again. */
const written = '[ {"type":"thinking" ,"signature":"\\u00e9\\u0000="},{"z":1,"a":1.0} ]'
const look = testTool('look')
let requestCount = 0
const looks = (fields: Partial<ModelFinish> = {}) => [
  finish({
    toolCalls: [
      { id: `look-${++requestCount}`, name: 'look', argumentsText: `{"n":${requestCount}}` },
    ],
    native: written,
    ...fields,
  }),
]

function nativesOf(messages: readonly Message[] = []): (string | undefined)[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? [message.native] : []))
}

test('R15c: what the provider wrote goes back as it was, by the same object each time', async () => {
  const run = runFixture({ script: [looks(), looks(), looks(), says('Done.')], tools: [look] })
  const state = await runAgent(runInput(), run.deps)
  const sent = run.model.calls.map(({ request }) => request.messages)
  expect(nativesOf(sent[3])).toEqual([written, written, written])
  for (const [index, message] of (sent[2] ?? []).entries()) {
    expect(sent[3]?.[index]).toBe(message)
  }
  expect(JSON.stringify([run.events, state])).not.toContain('signature')
})

test.each([
  ['another connection', { connectionId: 'connection-2' }, false],
  ['another API type', { wire: 'anthropic' as const }, false],
  ['another model of the same connection', { modelId: 'smaller' }, true],
])('R15c: %s', async (_words, change, isSent) => {
  const targets = [modelTarget({ maxTries: 1 }), modelTarget(change)]
  const run = runFixture({
    script: [looks(), fails('rate-limited'), looks({ native: '["of the second"]' }), says('Done.')],
    tools: [look],
  })
  await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  const own = isSent ? written : undefined
  const [, first, second, third] = run.model.calls.map(({ request }) => request.messages)
  expect(nativesOf(first)).toEqual([written])
  expect(nativesOf(second)).toEqual([own])
  expect(nativesOf(third)).toEqual([own, '["of the second"]'])
  expect(third?.slice(0, 3)).toEqual(second)
  expect(third?.[1]).toBe(second?.[1])
})

const tooLarge = `["${'é'.repeat(512 * 1024)}"]`

test.each<[string, Partial<ModelFinish>, string[]]>([
  ['a call had no id', { toolCalls: [{ id: null, name: 'look', argumentsText: '{}' }] }, []],
  [
    'a call id came twice',
    {
      toolCalls: ['{"n":1}', '{"n":2}'].map((argumentsText) => {
        return { id: 'twice', name: 'look', argumentsText }
      }),
    },
    ['duplicate-call-id'],
  ],
  ['it has more than 1 MiB', { native: tooLarge }, ['native-too-large']],
  ['it is no text that can be stored', { native: '["\0"]' }, []],
  ['it is no text that can be sent', { native: '["\ud800"]' }, []],
])('R15c: the portable form is sent when %s', async (_words, fields, warnings) => {
  const run = runFixture({ script: [looks(fields), says('Done.')], tools: [look] })
  const state = await runAgent(runInput(), run.deps)
  expect(state.end?.reason).toBe('completed')
  expect(nativesOf(run.model.calls[1]?.request.messages)).toEqual([undefined])
  expect(eventsOf(run.events, 'warning').map(({ data }) => data.code)).toEqual(warnings)
})

test('R15c: a part of exactly 1 MiB is kept', async () => {
  const native = `["${'x'.repeat(1024 * 1024 - 4)}"]`
  const run = runFixture({ script: [looks({ native }), says('Done.')], tools: [look] })
  await runAgent(runInput(), run.deps)
  expect(nativesOf(run.model.calls[1]?.request.messages)).toEqual([native])
  expect(eventsOf(run.events, 'warning')).toEqual([])
})

test.each(['text', 'native'] as const)(
  'T7: an answer with the canary in its %s goes back without what the provider wrote',
  async (place) => {
    const run = runFixture({
      script: [
        async function* ({ request }) {
          const first = request.messages[0]
          const canary = run.state().start?.canary ?? ''
          expect(first).toBeDefined()
          const said = { text: `It says ${canary}.`, native: `[{"text":"${canary}"}]` }
          yield* looks(place === 'text' ? { ...said, native: written } : { native: said.native })
        },
        says('Done.'),
      ],
      tools: [look],
    })
    await runAgent(runInput(), run.deps)
    expect(nativesOf(run.model.calls[1]?.request.messages)).toEqual([undefined])
  },
)

test('R15c: nothing is kept of an answer that was cut', async () => {
  const run = runFixture({
    script: [[finish({ text: 'Half an ans', finishReason: 'length', native: written })]],
  })
  await runAgent(runInput(), run.deps)
  expect(run.journal.nativeOf(1)).toBeNull()
})

test('R13: what is no longer sent is no longer kept', async () => {
  const long = testTool('look', { execute: async () => ({ content: 'word '.repeat(700) }) })
  const run = runFixture({ script: [looks(), looks(), looks(), says('Done.')], tools: [long] })
  const targets = [modelTarget({ contextTokens: 3_000, maxOutputTokens: 100 })]
  await runAgent(runInput({ snapshot: runSnapshot({ targets }) }), run.deps)
  run.model.verify()
  const { prunedThrough } = run.state()
  expect(prunedThrough).toBeGreaterThan(0)
  const kept = [1, 2, 3].map((round) => run.journal.nativeOf(round))
  expect(kept).toEqual([1, 2, 3].map((round) => (round > prunedThrough ? written : null)))
})
