import { afterEach, describe, expect, it } from 'vitest'
import { answered, ask, closeAll, serve } from './__fixtures__/ask-provider'

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
