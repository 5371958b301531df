import { afterEach, describe, expect, it } from 'vitest'
import {
  answered,
  ask,
  closeAll,
  closeLater,
  serve,
} from '@/lib/engines/providers/__fixtures__/ask-provider'
import {
  expectResult,
  expectSameOrClean,
  inPieces,
  read,
} from '@/lib/engines/providers/__fixtures__/read-recording'
import { bytesOf, usage } from '@/lib/engines/providers/__fixtures__/recordings'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { startModelServer } from '@/tests/support/model-server/start-model-server'

afterEach(closeAll)

const tools = [{ name: 'list_users', description: 'Lists users.', parameters: { type: 'object' } }]

/** Returns what was sent, and how each request ended. */
async function requestWith(
  refuse: (body: Body) => object | null,
  requests: Partial<ModelRequest>[],
) {
  const model = await startModelServer({ script: () => ({ text: 'ok' }) })
  closeLater(model.close)
  const bodies: Body[] = []
  const url = await serve(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body: Body = JSON.parse(text)
    bodies.push(body)
    const error = refuse(body)
    if (error) return answered(400, { error })(message, response)
    const answer = await fetch(`${model.url}/v1/responses`, { method: 'POST', body: text })
    response.writeHead(answer.status, { 'content-type': 'text/event-stream' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const lasts = []
  for (const request of requests) lasts.push((await ask('openai', url, { request })).events.at(-1))
  return { bodies, lasts, url }
}

type Body = {
  include?: unknown
  reasoning?: { summary?: string; effort?: string }
  tools?: { strict: boolean }[]
}

describe('openai', () => {
  it('asks a model without reasoning again without encrypted reasoning, and remembers', async () => {
    const { bodies, lasts } = await requestWith(
      ({ include }) =>
        include ? { message: 'Encrypted content is not supported with this model.' } : null,
      [{}, {}],
    )
    expect(bodies.map(({ include }) => include)).toEqual([
      ['reasoning.encrypted_content'],
      undefined,
      undefined,
    ])
    expect(lasts).toMatchObject([{ text: 'ok', resent: 1 }, { text: 'ok' }])
    expect(lasts[1]).not.toHaveProperty('resent')
    expect(lasts[0]).not.toHaveProperty('notes')
  })

  it('goes on asking for encrypted reasoning where only what was sent back could not be read', async () => {
    const error = {
      message: 'The encrypted content gAAA could not be verified.',
      code: 'invalid_encrypted_content',
    }
    let isFirst = true
    const { bodies, lasts } = await requestWith(() => {
      const refused = isFirst ? error : null
      isFirst = false
      return refused
    }, [{}, {}])
    expect(bodies.map(({ include }) => include)).toEqual([
      ['reasoning.encrypted_content'],
      ['reasoning.encrypted_content'],
    ])
    expect(lasts).toMatchObject([{ failure: { category: 'bad-request' } }, { text: 'ok' }])
  })

  it('asks nothing of a model that is known not to think, and says so of no other', async () => {
    const { bodies } = await requestWith(
      () => null,
      [{ reasoning: false }, { reasoning: true }, {}],
    )
    expect(bodies.map(({ include, reasoning }) => [include !== undefined, reasoning])).toEqual([
      [false, undefined],
      [true, { summary: 'auto' }],
      [true, undefined],
    ])
  })

  it('goes on without summaries where the account gets none, and says it each time', async () => {
    const error = {
      message: 'Your organization must be verified to generate reasoning summaries.',
      param: 'reasoning.summary',
      code: 'unsupported_value',
    }
    const { bodies, lasts, url } = await requestWith(
      ({ reasoning }) => (reasoning?.summary ? error : null),
      [{ reasoning: true }, { reasoning: true }, { reasoning: false }],
    )
    expect(bodies.map(({ reasoning }) => reasoning?.summary)).toEqual([
      'auto',
      undefined,
      undefined,
      undefined,
    ])
    const notes = [expect.stringContaining('no summaries')]
    expect(lasts).toMatchObject([{ notes, resent: 1 }, { notes }, { text: 'ok' }])
    expect(lasts[2]).not.toHaveProperty('notes')
    // Another account may get them.
    await ask('openai', url, { request: { reasoning: true }, apiKey: 'sk-of-another-account' })
    expect(bodies[4]?.reasoning?.summary).toBe('auto')
  })

  it('goes on without strict schemas where one is refused', async () => {
    const strict = {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      additionalProperties: false,
    }
    const { bodies, lasts } = await requestWith(
      ({ tools }) =>
        tools?.[0]?.strict
          ? { message: 'Invalid schema', code: 'invalid_function_parameters' }
          : null,
      [{ tools: [{ name: 'find', description: 'Finds.', parameters: strict }] }],
    )
    expect(bodies.map(({ tools }) => tools?.[0]?.strict)).toEqual([true, false])
    expect(lasts).toMatchObject([{ notes: [expect.stringContaining('strict schema')] }])
  })

  it('gives up on a refusal that names nothing optional', async () => {
    const { bodies, lasts } = await requestWith(() => ({ message: 'No.' }), [{ tools }])
    expect(bodies).toHaveLength(1)
    expect(lasts).toMatchObject([{ type: 'error', failure: { category: 'bad-request' } }])
  })

  it('says in words what of an answer it does not run', async () => {
    const stream = bytesOf('responses-program.sse')
    const url = await serve((message, response) => {
      message.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(stream)
    })
    const { failure } = await ask('openai', url)
    expect(failure?.advice).toMatch(/“program”, which Toolgate does not run/)
  })

  it('gives the items back as they came, with reasoning and its encrypted form', () => {
    const { finish } = read('openai', [bytesOf('responses-reasoning-calls.sse')])
    const items: { type: string; encrypted_content?: string }[] = JSON.parse(finish?.native ?? '')
    expect(items.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'reasoning',
      'function_call',
    ])
    expect(items[0]).toEqual({
      id: 'rs_1',
      type: 'reasoning',
      encrypted_content: 'gAAAAABpPDIVOKrs==',
      summary: [
        { type: 'summary_text', text: '**Logs first**' },
        { type: 'summary_text', text: 'Then users.' },
      ],
    })
    expect(read('openai', [bytesOf('responses-text.sse')]).finish).not.toHaveProperty('native')
    expect(read('openai', [bytesOf('responses-length.sse')]).finish).not.toHaveProperty('native')
  })
})

describe('a whole response in answer to a request for a stream', () => {
  const bytes = bytesOf('responses-whole.json')
  const expected = {
    text: 'Ich sehe nach – gleich.',
    reasoning: [{ text: 'Hm.', signature: null, redacted: false }],
    toolCalls: [{ id: 'call_1', name: 'fetch_logs', argumentsText: '{"limit":1}' }],
    usage: usage(7, 5, 0, 0, 1),
  }

  it('is read like a stream, however it comes', () => {
    for (const size of [bytes.length, 7, 1])
      expectResult(read('openai', inPieces(bytes, size)), expected)
  })

  it('ends clean wherever it is cut', () => {
    const whole = read('openai', [bytes])
    for (let at = 0; at < bytes.length; at++)
      expectSameOrClean(read('openai', [bytes.subarray(0, at)]), whole)
  })

  it('may be an error', () => {
    const error = Buffer.from('{"error":{"type":"invalid_request_error","message":"No."}}')
    expect(read('openai', [error])).toMatchObject({ failure: 'bad-request' })
  })
})
