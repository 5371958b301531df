import { expect, test } from 'vitest'
import { canonicalJson } from '@/lib/words/json-text'
import { eventsOf, runFixture, runInput, runSnapshot, testTool } from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { runAgent } from './run-agent'

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
