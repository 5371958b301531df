import { afterEach, describe, expect, it } from 'vitest'
import { answered, ask, closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import { openProvider } from '@/lib/engines/providers/open-provider'
import { finishTurn, newTurn } from '@/lib/engines/providers/turn/turn'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters as parameters } from '@/lib/protocol/parameters/parameters'
import { readChatCompletions } from './chat-completions-reader'

afterEach(closeAll)

describe('openai-compatible', () => {
  it('asks again without a field that the server refuses by name, and remembers', async () => {
    const bodies: Record<string, unknown>[] = []
    const server = await serve(async (message, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of message) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      bodies.push(body)
      if (body.stream_options) {
        answered(422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] })(
          message,
          response,
        )
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    const lasts = []
    for (const _ of [1, 2]) lasts.push((await ask('openai-compatible', server)).events.at(-1))
    expect(lasts).toMatchObject([{ type: 'finish', text: 'ok', resent: 1 }, { text: 'ok' }])
    expect(lasts[1]).not.toHaveProperty('resent')
    expect(bodies.map((body) => 'stream_options' in body)).toEqual([true, false, false])
  })

  it('counts what it asked again when that fails, too', async () => {
    const server = await serve(answered(400, { error: { message: 'stream_options? max_tokens!' } }))
    const { events } = await ask('openai-compatible', server)
    expect(events).toMatchObject([{ type: 'error', resent: 1 }])
  })

  it('asks a model that takes no tools while it thinks with effort none, says so, and remembers', async () => {
    const message =
      "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'."
    const error = { message, type: 'invalid_request_error', param: 'reasoning_effort', code: null }
    const bodies: Record<string, unknown>[] = []
    const server = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = JSON.parse(Buffer.concat(chunks).toString())
      bodies.push(body)
      if (body.tools && body.reasoning_effort !== 'none')
        return answered(400, { error })(request, response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    const tools = [{ name: 'list_users', description: '', parameters: { type: 'object' } }]
    const lasts = []
    for (const change of [{ tools }, { tools }, { tools: [] }])
      lasts.push((await ask('openai-compatible', server, { request: change })).events.at(-1))
    const notes = [expect.stringContaining('reasoning effort “none”')]
    expect(lasts).toMatchObject([{ text: 'ok', resent: 1, notes }, { notes }, { text: 'ok' }])
    expect(lasts[2]).not.toHaveProperty('notes')
    expect(bodies.map((body) => body.reasoning_effort)).toEqual([
      undefined,
      'none',
      'none',
      undefined,
    ])
  })

  it('lets the model speak before the images of results where a server refuses them else, and remembers', async () => {
    const error = { message: "Unexpected role 'user' after role 'tool'", code: '3230' }
    const roles: string[][] = []
    const server = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { messages } = JSON.parse(Buffer.concat(chunks).toString())
      roles.push(messages.map(({ role }: { role: string }) => role))
      const isRefused = roles.at(-1)?.join(' ').includes('tool user')
      if (isRefused) return answered(400, error)(request, response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      )
    })
    const file = { id: 'i', name: 'i.png', type: 'image/png' as const, bytes: 3, sha256: 'i' }
    const content = { bytes: Buffer.from('PNG') }
    const fence = { nonce: 'n', canary: 'c' }
    const attachments = [{ ...file, dataClass: 'content' as const, fence, content }]
    const call = { callId: 'c', providerCallId: 'p', name: 'look', argumentsText: '{}' }
    const request: Partial<ModelRequest> = {
      modelId: 'pixtral',
      messages: [
        { role: 'assistant', text: '', reasoning: [], toolCalls: [call] },
        {
          role: 'tool',
          providerCallId: 'p',
          name: 'look',
          content: 'Seen.',
          isError: false,
          attachments,
        },
      ],
    }
    const lasts = []
    for (const _ of [1, 2])
      lasts.push((await ask('openai-compatible', server, { request })).events.at(-1))
    expect(lasts).toMatchObject([{ text: 'ok', resent: 1 }, { text: 'ok' }])
    expect(lasts[1]).not.toHaveProperty('resent')
    const bridged = ['assistant', 'tool', 'assistant', 'user']
    expect(roles).toEqual([['assistant', 'tool', 'user'], bridged, bridged])
  })

  it.each([
    ['nothing', '{}'],
    ['content of a shape that nobody knows', '{"content":[[["deep"]]]}'],
    ['nothing but a reason', '{},"finish_reason":"stop"'],
  ])('takes an answer that ends with %s for none', async (_, delta) => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: {"choices":[{"index":0,"delta":${delta}}]}\n\ndata: [DONE]\n\n`)
    })
    const { failure } = await ask('openai-compatible', server)
    expect(failure).toMatchObject({ category: 'invalid-response' })
  })

  it('says that a connection without address needs one', async () => {
    const { failure } = await ask('openai-compatible', '')
    expect(failure).toMatchObject({ category: 'bad-request', status: null })
    expect(failure?.advice).toContain('no base URL')
  })
})

describe('an answer that ends with an empty reason', () => {
  const event = (delta: object, finish_reason = '') =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const call = (args: string) =>
    event({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: args } }] })
  const read = (answer: string) => {
    const turn = newTurn()
    const reader = readChatCompletions(turn, { emptyReason: true })
    reader.push(Buffer.from(answer))
    reader.end()
    return finishTurn(turn)
  }

  it.each([
    ['complete', 'tool-calls', 1],
    ['cut-off', 'cut', 0],
  ])('with whole calls is %s by the setting of its connection', async (emptyReason, end, calls) => {
    const url = await serve(answered(200, `${call('{"n":1}')}data: [DONE]\n\n`))
    const settings = { emptyReason }
    const provider = openProvider('openai-compatible', providerOptions({ baseUrl: url, settings }))
    const request = { modelId: 'm', system: '', messages: [], tools: [], parameters }
    const events: ModelEvent[] = []
    for await (const each of provider.stream(request, new AbortController().signal)) {
      events.push(each)
    }
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: end })
    expect(events.at(-1)).toHaveProperty('toolCalls.length', calls)
    expect('isUnexplained' in (events.at(-1) ?? {})).toBe(end === 'cut')
  })

  it('is told from an answer whose connection broke', async () => {
    const url = await serve(answered(200, call('{"n":1}')))
    const provider = openProvider('openai-compatible', providerOptions({ baseUrl: url }))
    const request = { modelId: 'm', system: '', messages: [], tools: [], parameters }
    const events: ModelEvent[] = []
    for await (const each of provider.stream(request, new AbortController().signal)) {
      events.push(each)
    }
    expect(events.at(-1)).toMatchObject({ finishReason: 'cut' })
    expect(events.at(-1)).not.toHaveProperty('isUnexplained')
  })

  it('runs no call that is not whole, or before the end marker', () => {
    expect(read(`${call('{"n":')}data: [DONE]\n\n`)).toMatchObject({ finishReason: 'cut' })
    expect(read(call('{"n":1}'))).toMatchObject({ finishReason: 'cut', toolCalls: [] })
    expect(read(`${event({ content: 'So' })}data: [DONE]\n\n`)).toMatchObject({
      finishReason: 'cut',
    })
  })
})
