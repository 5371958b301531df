import { afterEach, describe, expect, it } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { modelTarget, runFixture, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { answered, ask, closeAll, key, serve } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { openProvider } from './open-provider'

afterEach(closeAll)

describe('an answer that was counted and then failed', () => {
  const chat = [
    'data: {"choices":[{"index":0,"delta":{"content":"Half"}}],"usage":{"prompt_tokens":90,"completion_tokens":40}}',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"of tomorrow"}]}',
  ]
  const messages = [
    'data: {"type":"message_start","message":{"usage":{"input_tokens":90,"output_tokens":1}}}',
    'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":40}}',
    'data: {"type":"message_stop"}',
  ]
  const ollama = [
    '{"message":{"content":""},"done":true,"done_reason":"load","prompt_eval_count":90,"eval_count":40}',
  ]

  const counts = '"usage":{"prompt_tokens":90,"completion_tokens":40}'
  const chatError = [
    `data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":"error"}],${counts}}`,
  ]
  const chatErrorField = [`data: {"error":{"code":502,"message":"Gone"},"choices":[],${counts}}`]
  const gemini = (reason: string) => [
    `data: {"candidates":[{"content":{"parts":[{"text":"Half"}]},"finishReason":"${reason}"}],"usageMetadata":{"promptTokenCount":90,"candidatesTokenCount":10,"thoughtsTokenCount":30}}`,
  ]
  const geminiPart = [
    'data: {"candidates":[{"content":{"parts":[{"executableCode":{"code":"1"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":90,"candidatesTokenCount":40}}',
  ]

  it.each([
    ['openai-compatible', chatError, 'server'],
    ['openai-compatible', chatErrorField, 'server'],
    ['gemini', gemini('MALFORMED_FUNCTION_CALL'), 'invalid-response'],
    ['gemini', gemini('UNEXPECTED_TOOL_CALL'), 'invalid-response'],
    ['gemini', gemini('OF_TOMORROW'), 'invalid-response'],
    ['gemini', geminiPart, 'invalid-response'],
  ] as const)('%s: %s is counted by its own figures', async (wire, lines, category) => {
    const url = await serve(answered(200, `${lines.join('\n\n')}\n\n`))
    const { events, failure } = await ask(wire, url)
    expect(failure?.category).toBe(category)
    expect(events.at(-1)).toMatchObject({
      usage: { inputTokens: 90, outputTokens: 40, estimated: false },
    })
  })

  it.each([
    ['openai-compatible', chat],
    ['anthropic', messages],
    ['ollama', ollama],
  ] as const)(
    '%s: says what was counted, since the provider may charge it',
    async (wire, lines) => {
      const url = await serve(answered(200, `${lines.join('\n\n')}\n\n`))
      const { events, failure } = await ask(wire, url)
      expect(failure?.category).toBe('invalid-response')
      expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 90, outputTokens: 40 } })
    },
  )
})

describe('an answer that failed before it was counted', () => {
  it.each([
    [
      'openai-compatible',
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"of tomorrow"}]}',
    ],
    ['openai', 'data: {"type":"response.completed","response":{"status":"completed","output":[]}}'],
  ] as const)('%s: may be charged all the same', async (wire, line) => {
    const url = await serve(answered(200, `${line}\n\n`))
    const { events, failure } = await ask(wire, url)
    expect(failure).toMatchObject({ category: 'invalid-response', mayBeCharged: true })
    expect(events.at(-1)).not.toHaveProperty('usage')
  })

  it('a web page is none', async () => {
    const page: Parameters<typeof serve>[0] = (message, response) => {
      message.resume()
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
    }
    const { failure } = await ask('openai-compatible', await serve(page))
    expect(failure).toMatchObject({ cause: 'web-page' })
    expect(failure).not.toHaveProperty('mayBeCharged')
  })
})

/** Streams events one by one, as a provider that goes on writing does. `onSent` = the connection stays open then. */
function streaming(events: readonly object[], onSent?: () => void): Parameters<typeof serve>[0] {
  return async (message, response) => {
    message.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) {
      response.write(`data: ${JSON.stringify(event)}\n\n`)
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (onSent) setImmediate(onSent)
    else response.end()
  }
}

const words = { choices: [{ index: 0, delta: { content: 'Half' } }] }
const unknownReason = { choices: [{ index: 0, delta: {}, finish_reason: 'of tomorrow' }] }
const counts = { prompt_tokens: 3_000, completion_tokens: 400 }
const hostedSearch = {
  type: 'response.output_item.added',
  output_index: 0,
  item: { type: 'web_search_call', id: 'ws_1', status: 'in_progress' },
}
const spoken = {
  type: 'response.output_text.delta',
  output_index: 1,
  content_index: 0,
  delta: 'It is so.',
}
const completed = {
  type: 'response.completed',
  response: { status: 'completed', usage: { input_tokens: 31_073, output_tokens: 4_416 } },
}
const code = { candidates: [{ content: { parts: [{ executableCode: { code: 'print(1)' } }] } }] }
const geminiEnd = {
  candidates: [{ content: { parts: [{ text: 'It is 1.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 30, thoughtsTokenCount: 400 },
}
const messageStart = {
  type: 'message_start',
  message: { usage: { input_tokens: 90, output_tokens: 1 } },
}
const programCall = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 't', name: 'n', caller: { type: 'code_execution' } },
}
const messageEnd = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 700 } },
  { type: 'message_stop' },
]

describe('an answer that cannot be used, and is counted after that', () => {
  it.each([
    ['openai-compatible', [words, unknownReason, { choices: [], usage: counts }], 3_000, 400],
    ['openai', [hostedSearch, spoken, completed], 31_073, 4_416],
    ['gemini', [code, geminiEnd], 20, 430],
    ['anthropic', [messageStart, programCall, ...messageEnd], 90, 700],
  ] as const)(
    '%s: is counted by those figures',
    async (wire, events, inputTokens, outputTokens) => {
      const { events: seen, failure } = await ask(wire, await serve(streaming(events)))
      expect(failure?.category).toBe('invalid-response')
      expect(seen.at(-1)).toMatchObject({ usage: { inputTokens, outputTokens, estimated: false } })
      expect(JSON.stringify(seen)).not.toContain('It is')
    },
  )

  it('is counted, too, when all of it came in one piece', async () => {
    const lines = [hostedSearch, spoken, completed].map(
      (event) => `data: ${JSON.stringify(event)}\n\n`,
    )
    const { events } = await ask('openai', await serve(answered(200, lines.join(''))))
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 31_073, outputTokens: 4_416 } })
  })

  it('is counted behind what is no event, and behind an error', async () => {
    const counted = `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`
    for (const fault of ['data: {"choices":[\n\n', 'data: {"error":{"code":502}}\n\n']) {
      const { events } = await ask(
        'openai-compatible',
        await serve(answered(200, `${fault}${counted}`)),
      )
      expect(events.at(-1)).toMatchObject({
        type: 'error',
        usage: { inputTokens: 3_000, outputTokens: 400 },
      })
    }
  })

  it('costs in its run what the provider counted', async () => {
    const url = await serve(streaming([code, geminiEnd]))
    const provider = openProvider('gemini', providerOptions({ baseUrl: url, apiKey: key }))
    const prices = { input: 300_000, output: 2_500_000, cachedInput: 1, cacheWrite: 1 }
    const target = modelTarget({ wire: 'gemini', prices: { ...prices, reasoning: null } })
    const { deps } = runFixture({
      deps: {
        streamModel: (_, request, signal) => provider.stream(request, signal),
        after: () => () => undefined,
      },
    })
    const input = runInput({ snapshot: runSnapshot({ targets: [target] }) })
    const { end, costMicroUsd } = await runAgent(input, deps)
    expect(end).toMatchObject({ reason: 'provider-error' })
    expect(costMicroUsd).toBe(1_081)
  })

  it('is read no longer than the limit where the provider never counts', async () => {
    const url = await serve(streaming([hostedSearch, spoken], () => undefined))
    const { events, failure } = await ask('openai', url, { timeouts: { restMs: 50 } })
    expect(failure).toMatchObject({ category: 'invalid-response', mayBeCharged: true })
    expect(events.at(-1)).not.toHaveProperty('usage')
  })

  it('is read no further than the limit where the provider never ends', async () => {
    const filler = `data: ${JSON.stringify({ type: 'x', delta: 'x'.repeat(64 * 1024) })}\n\n`
    let sent = 0
    const url = await serve((message, response) => {
      message.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(hostedSearch)}\n\n`)
      const more = () => {
        while (!response.destroyed) {
          sent += filler.length
          if (!response.write(filler)) return void response.once('drain', more)
        }
      }
      more()
    })
    const { failure } = await ask('openai', url)
    expect(failure?.advice).toContain('web_search_call')
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it('is read no longer than the limit, also where more comes all the time', async () => {
    const url = await serve((message, response) => {
      message.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(hostedSearch)}\n\n`)
      const timer = setInterval(() => response.write(': still here\n\n'), 1)
      response.once('close', () => clearInterval(timer))
    })
    const { failure } = await ask('openai', url, { timeouts: { restMs: 50 } })
    expect(failure?.advice).toContain('web_search_call')
  })

  it('is not read on when the request is stopped', async () => {
    const stop = new AbortController()
    const url = await serve(streaming([hostedSearch, spoken], () => stop.abort()))
    const { failure } = await ask('openai', url, { signal: stop.signal })
    expect(failure?.category).toBe('cancelled')
  })
})

it('ollama: an answer of calls may end with the reason that its other API has', async () => {
  const lines = [
    '{"message":{"content":"","tool_calls":[{"function":{"name":"list_users","arguments":{}}}]},"done":false}',
    '{"message":{"content":""},"done":true,"done_reason":"tool_calls","prompt_eval_count":90,"eval_count":40}',
  ]
  const { events } = await ask('ollama', await serve(answered(200, `${lines.join('\n')}\n`)))
  expect(events.at(-1)).toMatchObject({
    finishReason: 'tool-calls',
    toolCalls: [{ name: 'list_users' }],
    usage: { inputTokens: 90, outputTokens: 40 },
  })
})
