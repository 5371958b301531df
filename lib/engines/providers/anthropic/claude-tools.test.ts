import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { bedrockProvider } from '@/lib/engines/providers/bedrock/bedrock'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import type { ToolSpec } from '@/lib/protocol/tool'
import { anthropicProvider } from './anthropic'
import { claudeTools, takesStrictTools } from './claude-tools'

const closed = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})
const tool = (parameters: ToolSpec['parameters'], name = 'find'): ToolSpec => ({
  name,
  description: 'Finds.',
  parameters,
})
const isStrict = (parameters: ToolSpec['parameters']) =>
  claudeTools([tool(parameters)], true)[0]?.strict

afterEach(closeAll)

describe('claudeTools', () => {
  it('sends what the API checks, and says the rest in words', () => {
    const limit = { type: 'integer', minimum: 1, maximum: 50, description: 'How many.' }
    const parameters = closed({ limit, word: { type: 'string' } }, { required: ['word'] })
    const [sent] = claudeTools([tool(parameters)], true)
    expect(sent).toMatchObject({ strict: true, parameters: { required: ['word'] } })
    expect(sent?.parameters).toMatchObject({
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', description: expect.stringMatching(/How many\.[\s\S]*50/) },
      },
    })
    expect(JSON.stringify(sent?.parameters)).not.toContain('"maximum":')
  })

  it.each([
    ['no parameters', closed({})],
    ['a choice', closed({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } })],
    ['values', closed({ a: { enum: ['x', 1, null] }, b: { const: true } })],
    ['lists of objects', closed({ a: { type: 'array', items: closed({}), minItems: 3 } })],
  ])('is strict with %s', (_, parameters) => expect(isStrict(parameters)).toBe(true))

  it.each([
    ['an open object', { type: 'object', properties: {} }],
    ['an open object within', closed({ a: { type: 'object' } })],
    ['a schema for further properties', closed({}, { additionalProperties: { type: 'string' } })],
    ['properties by pattern', closed({}, { patternProperties: { a: {} } })],
    ['a reference', closed({ a: { $ref: '#' } })],
    ['anything', closed({ a: {} })],
    ['a list of anything', closed({ a: { type: 'array' } })],
    ['an object as a value', closed({ a: { enum: [{ b: 1 }] } })],
    ['an object or nothing', closed({ a: { type: ['object', 'null'] } })],
    ['what not to be', closed({ a: { type: 'string', not: { const: 'x' } } })],
  ])('is not strict with %s', (_, parameters) => {
    expect(isStrict(parameters)).toBe(false)
    const [sent] = claudeTools([tool(parameters)], true)
    expect(sent?.parameters).toEqual(parameters)
  })

  it('keeps to the limits of a request, in the order of the offer', () => {
    const many = Array.from({ length: 22 }, (_, index) => tool(closed({}), `find_${index}`))
    expect(claudeTools(many, true).map(({ strict }) => strict)).toEqual([
      ...Array(20).fill(true),
      false,
      false,
    ])
    const text = { type: 'string' }
    const optional = (count: number) =>
      tool(closed(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, text]))))
    const strict = claudeTools([optional(20), optional(5), optional(4)], true)
    expect(strict.map((each) => each.strict)).toEqual([true, false, true])
    expect(claudeTools([optional(1)], false)[0]?.strict).toBe(false)
  })
})

it.each([
  ['claude-sonnet-4-5-20250929', true],
  ['claude-opus-4-5', true],
  ['claude-sonnet-5-5', true],
  ['eu.anthropic.claude-haiku-4-5-20251001-v1:0', true],
  ['claude-3-7-sonnet-latest', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-opus-4-1-20250805', false],
  ['us.anthropic.claude-opus-4-20250514-v1:0', false],
  ['amazon.nova-pro-v1:0', false],
  ['kimi-k2', false],
])('%s takes strict tools: %s', (modelId, expected) => {
  expect(takesStrictTools(modelId)).toBe(expected)
})

const refusal =
  'tools.0.custom: The compiled grammar is too large. Reduce the number of strict tools.'

describe.each([
  ['anthropic', 'claude-sonnet-5-5', anthropicProvider, {}],
  [
    'bedrock',
    'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    bedrockProvider,
    { region: 'eu-west-1', authentication: 'bearer' },
  ],
] as const)('%s', (_, modelId, open, settings) => {
  it('is asked again without strict tools when it refuses them, and from then on without', async () => {
    const requests: boolean[] = []
    const baseUrl = await serve((message, response) => {
      const pieces: Buffer[] = []
      message.on('data', (piece: Buffer) => pieces.push(piece))
      message.on('end', () => {
        const body = Buffer.concat(pieces).toString()
        requests.push(body.includes('"strict":true'))
        response.writeHead(requests.at(-1) ? 400 : 500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ message: requests.at(-1) ? refusal : 'Out of order.' }))
      })
    })
    const provider = open(providerOptions({ baseUrl, apiKey: 'key-0123456789', settings }))
    const request: ModelRequest = {
      modelId,
      system: '',
      messages: [{ role: 'user', text: 'Find.' }],
      tools: [tool(closed({}))],
      parameters: defaultModelParameters,
    }
    for (let time = 0; time < 2; time++) {
      let last: unknown
      for await (const event of provider.stream(request, new AbortController().signal)) last = event
      expect(last).toMatchObject({ type: 'error', failure: { category: 'server' } })
    }
    expect(requests).toEqual([true, false, false])
  })
})
