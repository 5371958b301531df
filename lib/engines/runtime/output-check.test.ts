import { expect, test } from 'vitest'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, says } from '@/tests/support/scripted-model'
import { checkOutput } from './output-check'
import { runAgent } from './run-agent'

const schema: JsonObject = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}
const look = testTool('look')

function wanting(target: Partial<ModelTarget> = {}, fields = {}) {
  const options = ConfigurationOptions.parse({ outputSchema: schema })
  return runInput({ snapshot: runSnapshot({ targets: [modelTarget(target)], options, ...fields }) })
}

test.each([
  ['{"n":1}', []],
  [' \n{"n": 1}\n', []],
  ['```json\n{"n":1}\n```', []],
  ['Here it is:\n\n```json\n{"n":1}\n```\n\nIt is one.', []],
  ['Here it is:\r\n```\r\n{"n":1}\r\n```\r\n', []],
  ['```json\n{"n":1}\n```\nIt is one.', []],
  ['[Note] Here it is:\n```json\n{"n":1}\n```', []],
  ['```json\n{"n":1}\n``` It is one.', ['The answer is not one JSON value.']],
  ['Here it is:\n```json\n{"n":"1"}\n```', ['n: expected integer, got string']],
  ['One:\n```json\n{"n":1}\n```\nor\n```json\n{"n":2}\n```', ['The answer is not one JSON value.']],
  ['Here it is:\n```json\n{"n":1}', ['The answer is not one JSON value.']],
  ['Run this:\n```python\n{"n":1}\n```', ['The answer is not one JSON value.']],
  ['{"n":9007199254740992}', []],
  [
    '{"n":9007199254740993}',
    ['The number 9007199254740993 has more digits than JSON readers keep. Write it as text.'],
  ],
  ['{"n":"1"}', ['n: expected integer, got string']],
  ['{}', ['n: is required']],
  ['{"n":1,"m":2}', ['has properties that are not allowed: m']],
  ['The answer is {"n":1}', ['The answer is not one JSON value.']],
  ['{"n":1}{"n":2}', ['The answer is not one JSON value.']],
  ['{"n":1', ['The answer is not one JSON value.']],
  ['', ['The answer is not one JSON value.']],
  [`{"n":${'['.repeat(9_999)}`, ['The answer is not one JSON value.']],
])('%s', (text, errors) => {
  expect(checkOutput(schema, text)).toEqual(errors)
})

test('a default fills in nothing, and a value that is missing is missing', () => {
  const lenient: JsonObject = {
    type: 'object',
    properties: { n: { type: 'number', default: 1 } },
    required: ['n'],
  }
  expect(checkOutput(lenient, '{}')).toHaveLength(1)
})

test.each<[JsonObject, unknown, string[]]>([
  [
    { type: 'object', required: ['summary', 'changes'] },
    { a: 1 },
    ['summary: is required', 'changes: is required'],
  ],
  [{ properties: { rating: { maximum: 5 } } }, { rating: 100 }, ['rating: must be at most 5']],
  [
    { $defs: { n: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/n', maximum: 5 } } },
    { n: 6 },
    ['n: must be at most 5'],
  ],
  [{ enum: ['a', 'abc'], minLength: 2 }, 'a', ['must have at least 2 characters']],
  [{ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`, ['must match the pattern ^(a+)+$']],
  [{ $ref: '#/$defs/none' }, 1, ['$ref: There is nothing at #/$defs/none.']],
])('%j does not take %j', (wanted, value, errors) => {
  expect(checkOutput(wanted, JSON.stringify(value))).toEqual(errors)
})

test('Q5: an answer that fits ends the run completed, with its value', async () => {
  const run = runFixture({ script: [says('{"n": 42}')] })
  const state = await runAgent(wanting(), run.deps)
  expect(state.end).toMatchObject({ reason: 'completed', structured: { n: 42 } })
  expect(state.rounds[0]).toMatchObject({ text: '{"n": 42}', outputErrors: [] })
  const [request] = run.model.calls.map((call) => call.request)
  expect(request?.system).toContain(JSON.stringify(schema))
  expect(request?.options?.outputSchema).toBeNull()
})

test('Q5: an answer with words around one block of JSON costs no second request', async () => {
  const run = runFixture({ script: [says('It is:\n```json\n{"n": 42}\n```\nIs it enough?')] })
  const state = await runAgent(wanting(), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'completed', structured: { n: 42 } })
})

test('Q5: an integer that would be changed is asked for once more, and is never given as another one', async () => {
  const run = runFixture({ script: [says('{"n":9007199254740993}'), says('{"n":7}')] })
  const state = await runAgent(wanting(), run.deps)
  run.model.verify()
  expect(run.model.calls[1]?.request.messages.at(-1)).toMatchObject({
    text: expect.stringContaining('9007199254740993 has more digits'),
  })
  expect(state.end).toMatchObject({ structured: { n: 7 } })
})

test('Q5: one that does not is asked for once more, with what is wrong', async () => {
  const run = runFixture({ script: [says('{"n":"x"}'), says('{"n":7}')] })
  const state = await runAgent(wanting(), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'completed', truncated: false, structured: { n: 7 } })
  const repair = run.model.calls[1]?.request
  expect(repair?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(repair?.messages[2]).toMatchObject({
    text: expect.stringContaining('- n: expected integer'),
  })
  expect(repair?.system).toBe(run.model.calls[0]?.request.system)
})

test('Q5: after the repair the run ends as invalid-output, and keeps the text', async () => {
  const run = runFixture({ script: [says('No.'), says('Still no.')] })
  const state = await runAgent(wanting(), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({
    reason: 'invalid-output',
    message: expect.stringContaining('not one JSON value'),
  })
  expect(state.end).not.toHaveProperty('structured')
  expect(state.rounds[1]).toMatchObject({
    text: 'Still no.',
    outputErrors: ['The answer is not one JSON value.'],
  })
})

test('tools come first: only the final answer is checked, and the repair has no tools', async () => {
  const run = runFixture({
    script: [asks(['look']), says('It is 42.'), says('{"n":42}')],
    tools: [look],
  })
  const state = await runAgent(wanting(), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'completed', structured: { n: 42 } })
  expect(run.model.calls.map(({ request }) => request.tools.length)).toEqual([1, 1, 0])
  expect(eventsOf(run.events, 'message')[0]?.data.outputErrors).toBeUndefined()
})

test('the closing answer after the last round is checked and repaired, too, and the run says why it was closed', async () => {
  const run = runFixture({ script: [asks(['look']), says('Hm.'), says('{"n":1}')], tools: [look] })
  const state = await runAgent(wanting({}, { maxRounds: 1 }), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'max-rounds', truncated: true, structured: { n: 1 } })
})

test('a closing answer that asks for a tool is no output', async () => {
  const run = runFixture({ script: [asks(['look']), asks(['look'])], tools: [look] })
  const state = await runAgent(wanting({}, { maxRounds: 1 }), run.deps)
  expect(state.end).toMatchObject({
    reason: 'invalid-output',
    message: expect.stringContaining('asked for a tool'),
  })
  expect(state.rounds[1]?.calls[0]?.state).toMatchObject({ outcome: { type: 'cancelled' } })
})

test('a closing answer that asks for a tool beside its JSON keeps the JSON', async () => {
  const calls = [{ id: 'call_9', name: 'look', argumentsText: '{}' }]
  const run = runFixture({
    script: [asks(['look']), says('{"n":1}', { toolCalls: calls, finishReason: 'tool-calls' })],
    tools: [look],
  })
  const state = await runAgent(wanting({}, { maxRounds: 1 }), run.deps)
  run.model.verify()
  expect(state.end).toMatchObject({ reason: 'max-rounds', structured: { n: 1 } })
  expect(state.rounds[1]?.calls[0]?.state).toMatchObject({ outcome: { type: 'cancelled' } })
})

test('an answer that was cut is not checked', async () => {
  const run = runFixture({ script: [says('{"n":', { finishReason: 'length' })] })
  const state = await runAgent(wanting(), run.deps)
  expect(state.end).toMatchObject({ reason: 'length' })
  expect(state.rounds[0]?.outputErrors).toBeNull()
})

test.each([
  ['openai', true, 'confirmed', [schema, schema, schema], false],
  ['anthropic', true, 'confirmed', [schema, schema, schema], false],
  ['openai-compatible', true, 'confirmed', [null, null, schema], true],
  ['ollama', true, 'confirmed', [null, null, schema], true],
  ['openai', null, 'confirmed', [null, null, null], true],
  ['openai', false, 'confirmed', [null, null, null], true],
  ['demo', true, 'confirmed', [null, null, null], true],
] as const)(
  '%s with structured output %s: the schema goes into the requests that may have it',
  async (wire, structuredOutput, toolCalling, sent, isTaught) => {
    const run = runFixture({
      script: [asks(['look']), says('Hm.'), says('{"n":1}')],
      tools: [look],
    })
    await runAgent(wanting({ wire, structuredOutput, toolCalling }), run.deps)
    const requests = run.model.calls.map(({ request }) => request)
    expect(requests.map(({ options }) => options?.outputSchema)).toEqual(sent)
    for (const { system } of requests) expect(system.includes('JSON Schema')).toBe(isTaught)
  },
)

test('a provider gets the keywords that it knows, and the answer is checked with all of them', async () => {
  const whole: JsonObject = { ...schema, not: { properties: { n: { const: 13 } } }, 'x-id': 1 }
  const options = ConfigurationOptions.parse({ outputSchema: whole })
  const run = runFixture({ script: [says('{"n":13}'), says('{"n":12}')] })
  const target = modelTarget({ wire: 'openai', structuredOutput: true })
  const input = runInput({ snapshot: runSnapshot({ targets: [target], options }) })
  const state = await runAgent(input, run.deps)
  run.model.verify()
  expect(state.rounds[0]?.outputErrors).toEqual(['fits the schema in not'])
  expect(state.end?.structured).toEqual({ n: 12 })
  const sent = run.model.calls.map(({ request }) => request.options?.outputSchema)
  expect(sent).toEqual([schema, schema])
})

test('a schema whose addresses a provider would lose is only taught', async () => {
  const addressed: JsonObject = {
    type: 'object',
    properties: { n: { $ref: 'number' } },
    $defs: { number: { $id: 'number', type: 'integer' } },
  }
  const options = ConfigurationOptions.parse({ outputSchema: addressed })
  for (const wire of ['openai', 'anthropic'] as const) {
    const run = runFixture({ script: [says('{"n":"x"}'), says('{"n":1}')] })
    const target = modelTarget({ wire, structuredOutput: true })
    const input = runInput({ snapshot: runSnapshot({ targets: [target], options }) })
    expect((await runAgent(input, run.deps)).end?.structured).toEqual({ n: 1 })
    for (const { request } of run.model.calls) {
      expect(request.options?.outputSchema).toBeNull()
      expect(request.system).toContain(JSON.stringify(addressed))
    }
  }
})

test('in prompted mode the schema holds no request back, and the repair carries it', async () => {
  const run = runFixture({
    script: [says('<tool_call>{"name":"look"}</tool_call>'), says('Hm.'), says('{"n":1}')],
    tools: [look],
  })
  const state = await runAgent(
    wanting({ structuredOutput: true, toolCalling: 'unsupported' }),
    run.deps,
  )
  expect(state.end?.structured).toEqual({ n: 1 })
  expect(run.model.calls.map(({ request }) => request.options?.outputSchema)).toEqual([
    null,
    null,
    schema,
  ])
})
