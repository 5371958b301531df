import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { JsonObject } from '@/lib/protocol/parameters/parameter-values'
import { defaultOptions } from '@/lib/protocol/parameters/parameters'
import { outputProblem } from '@/tests/support/model-server/bedrock-output-rules'
import { type ModelServer, startModelServer } from '@/tests/support/model-server/start-model-server'
import {
  eventsOf,
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { bedrockProvider } from './bedrock'

const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const open = 'openai.gpt-oss-120b-1:0'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer()
})
afterEach(() => server.close())

const schemaOf = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
  required: names,
})
const schema = schemaOf('zebra', 'a', 'mid')
const answer = JSON.stringify({ zebra: '1', a: '2', mid: '3' })
const look = { calls: [{ name: 'look', arguments: {} }] }

type Asked = { target?: Partial<ModelTarget>; withTool?: boolean; outputSchema?: JsonObject }

/** Makes one run of the loop, which completes with an answer that fits. */
async function run(modelId: string, input: Asked = {}) {
  const { target, withTool = false, outputSchema = schema } = input
  const settings = { region: 'eu-west-1', authentication: 'bearer' }
  const options = providerOptions({ baseUrl: server.url, apiKey: 'secret', settings })
  const provider = bedrockProvider(options)
  const { deps, events } = runFixture({
    tools: withTool ? [testTool('look')] : [],
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
    },
  })
  const targets = [modelTarget({ wire: 'bedrock', modelId, structuredOutput: true, ...target })]
  const snapshot = runSnapshot({ targets, options: { ...defaultOptions, outputSchema } })
  const before = server.requests.length
  const { end } = await runAgent(runInput({ snapshot }), deps)
  const sent = server.requests.slice(before)
  const notes = eventsOf(events, 'warning').map(({ data }) => data.message)
  return { end, sent, notes, formats: sent.map(({ body }) => formatOf(body)) }
}

/** Returns the schema in a body as text; null = it has none. */
function formatOf({ outputConfig }: Record<string, unknown>): string | null {
  if (outputConfig === undefined) return null
  expect(outputConfig).toMatchObject({
    textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'answer' } } },
  })
  const [, text] = /"schema":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(outputConfig)) ?? []
  return text === undefined ? null : JSON.parse(text)
}

describe('the schema of an answer', () => {
  it('goes to Claude in every request beside its tools, closed and in its order, and into the prompt', async () => {
    server.queue(look, { text: answer })
    const { end, sent, formats, notes } = await run(claude, { withTool: true })
    expect(end).toMatchObject({ reason: 'completed', structured: JSON.parse(answer) })
    const [first, second] = formats.map((format) => JSON.parse(format ?? 'null'))
    expect(first).toEqual(second)
    expect(Object.keys(first.properties)).toEqual(['zebra', 'a', 'mid'])
    expect(first).toMatchObject({
      additionalProperties: false,
      properties: { zebra: { type: 'string', description: '{minLength: 1}' } },
    })
    for (const { system } of sent) expect(system).toContain(JSON.stringify(schema))
    expect(notes).toEqual([])
  })

  it('goes to other models in requests without tools', async () => {
    server.queue(look, { text: 'Hm.' }, { text: answer })
    const { end, formats } = await run(open, { withTool: true })
    expect(end).toMatchObject({ reason: 'completed', structured: JSON.parse(answer) })
    expect(formats.map((format) => format !== null)).toEqual([false, false, true])
  })

  it.each([
    ['not known to take it', { structuredOutput: null }, schema],
    ['known not to take it', { structuredOutput: false }, schema],
    ['and a schema that cannot be closed', {}, { ...schema, additionalProperties: true }],
  ])('stays out of requests to a model %s', async (_words, target, outputSchema) => {
    server.queue({ text: answer })
    const { end, sent, formats, notes } = await run(claude, { target, outputSchema })
    expect(end).toMatchObject({ reason: 'completed', structured: JSON.parse(answer) })
    expect([formats, notes]).toEqual([[null], []])
    expect(sent[0]?.system).toContain('JSON Schema')
  })
})

describe('a model that refuses it', () => {
  it.each(['global.anthropic.claude-opus-4-8', 'amazon.nova-pro-v1:0'])(
    '%s is asked again without it, once in a process, and each trace says so once',
    async (modelId) => {
      server.queue({ text: 'Hm.' }, { text: answer })
      const first = await run(modelId)
      expect(first.end).toMatchObject({ reason: 'completed', structured: JSON.parse(answer) })
      expect(first.formats.map((format) => format !== null)).toEqual([true, false, false])
      expect(first.notes.filter((note) => note.includes('answer schema'))).toEqual([
        expect.stringContaining('did not take the answer schema'),
      ])
      server.queue({ text: answer })
      const second = await run(modelId, { outputSchema: schemaOf('zebra', 'a', 'mid') })
      expect(second.formats).toEqual([null])
      expect(second.notes).toEqual([expect.stringContaining('did not take the answer schema')])
      server.assertDone()
    },
  )

  it('keeps its other schemas when it refuses one', async () => {
    const modelId = 'us.anthropic.claude-haiku-4-5-20251001-v1:0'
    const message = 'output_config.format.schema: Schema is too complex.'
    server.queue({ status: 400, body: { message } }, { text: answer })
    const refused = await run(modelId)
    expect(refused.formats.map((format) => format !== null)).toEqual([true, false])
    server.queue({ text: '{"b":"1"}' })
    const other = await run(modelId, { outputSchema: schemaOf('b') })
    expect([other.formats.map((format) => format !== null), other.notes]).toEqual([[true], []])
  })

  it('is not asked again for a refusal of something else', async () => {
    const message = 'additionalModelRequestFields.output_config.effort: Extra inputs'
    server.queue({ status: 400, body: { message } })
    const { end, formats } = await run(claude)
    expect(end?.reason).toBe('provider-error')
    expect(formats).toHaveLength(1)
  })
})

describe('the rules of the fake server', () => {
  const closed = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const config = (schema: unknown, type = 'json_schema') => ({
    textFormat: { type, structure: { jsonSchema: { name: 'answer', schema } } },
  })
  it.each([
    ['no format', undefined, null],
    ['a closed schema', config(JSON.stringify(closed)), null],
    ['a schema that is no text', config(closed), 'not a string'],
    ['another type', config('{}', 'json_object'), 'must be json_schema'],
    ['an open object', config('{"type":"object"}'), 'must be explicitly set to false'],
    ['a length', config('{"type":"string","minLength":1}'), "'minLength' is not supported"],
    ['a long list', config('{"type":"array","minItems":2}'), 'minItems'],
    [
      'itself',
      config(JSON.stringify({ ...closed, properties: { a: { $ref: '#' } } })),
      'Recursive',
    ],
  ])('%s', (_words, sent, why) => {
    const problem = outputProblem(sent, claude)
    if (why === null) expect(problem).toBeNull()
    else expect(problem).toContain(why)
  })
})
