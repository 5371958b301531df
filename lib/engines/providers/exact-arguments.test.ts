import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { ask, closeAll, serve } from './__fixtures__/ask-provider'
import { read } from './__fixtures__/read-recording'
import type { Wire } from './__fixtures__/recordings'
import { anthropicBody } from './anthropic/anthropic-request'
import { bedrockBody } from './bedrock/bedrock-request'
import { chatCompletionsBody } from './chat-completions/chat-completions-request'
import { geminiBody } from './gemini/gemini-request'
import { responsesBody } from './openai/responses-request'

afterEach(closeAll)

/** As a model may write them: with digits that no JavaScript number has, and text that looks like its end. */
const args = String.raw`{"id":9007199254740993,"text":"} \"]},\"args\":{\"id\":1}","rate":1.0}`
const call = (field: string) => `{"name":"look","id":"c1","${field}":${args}}`
const sse = (...events: string[]) => events.map((event) => `data: ${event}\n\n`).join('')

const geminiAnswer = `{"candidates":[{"content":{"parts":[{"text":"I look."},{"functionCall":${call('args')}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":5}}`
const chatCall = `"tool_calls":[{"index":0,"id":"c1","function":${call('arguments')}}]`
const legacyCall = `"function_call":${call('arguments')}`
const block = `{"type":"tool_use","id":"c1","name":"look","input":${args}}`
const startMessage = (content: string) =>
  `{"type":"message_start","message":{"content":[${content}],"usage":{"input_tokens":1,"output_tokens":1}}}`
const anthropicEnd = [
  '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":4}}',
  '{"type":"message_stop"}',
]
const item = `{"type":"function_call","call_id":"c1","name":"look","arguments":${args},"status":"completed"}`

it.each<[string, Wire, string]>([
  ['an event of Gemini', 'gemini', sse(geminiAnswer)],
  ['a whole answer of Gemini', 'gemini', geminiAnswer],
  [
    'a line of Ollama',
    'ollama',
    `{"message":{"tool_calls":[{"function":${call('arguments')}}]},"done":true,"done_reason":"stop"}\n`,
  ],
  [
    'a whole answer of Ollama',
    'ollama',
    `{\n"message":{"tool_calls":[{"function":${call('arguments')}}]},\n"done":true,"done_reason":"stop"}`,
  ],
  [
    'a piece of Chat Completions',
    'openai-compatible',
    sse(`{"choices":[{"delta":{${chatCall}},"finish_reason":"tool_calls"}]}`, '[DONE]'),
  ],
  [
    'a whole answer of Chat Completions',
    'openai-compatible',
    `{"choices":[{"message":{${chatCall}},"finish_reason":"tool_calls"}]}`,
  ],
  [
    'the call from before tools',
    'openai-compatible',
    sse(`{"choices":[{"delta":{${legacyCall}},"finish_reason":"function_call"}]}`, '[DONE]'),
  ],
  [
    'a block of Anthropic that begins with all of its input',
    'anthropic',
    sse(
      startMessage(''),
      `{"type":"content_block_start","index":0,"content_block":${block}}`,
      '{"type":"content_block_stop","index":0}',
      ...anthropicEnd,
    ),
  ],
  [
    'a message of Anthropic that begins whole',
    'anthropic',
    sse(startMessage(block), ...anthropicEnd),
  ],
  [
    'a whole answer of Anthropic',
    'anthropic',
    `{"type":"message","content":[${block}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
  ],
  [
    'an item of Responses',
    'openai',
    sse(
      `{"type":"response.output_item.done","output_index":0,"item":${item}}`,
      '{"type":"response.completed","response":{"status":"completed","output":[]}}',
    ),
  ],
  [
    'a whole answer of Responses',
    'openai',
    `{"object":"response","status":"completed","output":[${item}]}`,
  ],
])('arguments that come as an object in %s keep their text', (_, wire, answer) => {
  const { finish, failure } = read(wire, [Buffer.from(answer)])
  expect(failure).toBeNull()
  expect(finish?.toolCalls.map(({ argumentsText }) => argumentsText)).toEqual([args])
})

const inPieces = sse(
  startMessage(''),
  '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"Hm.","signature":"sig="}}',
  '{"type":"content_block_stop","index":0}',
  '{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"So."}}',
  '{"type":"content_block_stop","index":1}',
  '{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c1","name":"look","input":{}}}',
  `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":${JSON.stringify(args)}}}`,
  '{"type":"content_block_stop","index":2}',
  '{"type":"content_block_start","index":3,"content_block":{"type":"thinking","thinking":"Hm.","signature":"sig="}}',
  '{"type":"content_block_stop","index":3}',
  ...anthropicEnd,
)

it.each<[Wire, string]>([
  ['gemini', geminiAnswer.replace('"I look."', '"I look.","thoughtSignature":"c2ln"')],
  ['anthropic', inPieces],
])('%s: the answer goes back with the text of its arguments', (wire, answer) => {
  const { finish } = read(wire, [Buffer.from(answer)])
  expect(finish?.native).toContain(args)
})

const messages: Message[] = [
  { role: 'user', text: 'Look.' },
  {
    role: 'assistant',
    text: '',
    reasoning: [],
    toolCalls: [{ callId: 'k', providerCallId: 'c1', name: 'look', argumentsText: args }],
  },
  { role: 'tool', providerCallId: 'c1', name: 'look', content: 'ok', isError: false },
]
const request: ModelRequest = {
  modelId: 'm',
  system: '',
  messages,
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
  parameters: defaultModelParameters,
}

describe('arguments are sent to another model digit by digit', () => {
  const dialect = { maxTokensField: 'max_tokens', includeUsage: false } as const
  const responses = { encryptedReasoning: false, summaries: false, strictTools: false }
  const asText = JSON.stringify(args)

  it.each([
    ['anthropic', () => anthropicBody(request), args],
    ['bedrock', () => bedrockBody(request, { cachePoints: true, textFormat: true }), args],
    ['gemini', () => geminiBody(request), args],
    ['openai-compatible', () => chatCompletionsBody(request, dialect), asText],
    ['openai', () => responsesBody(request, responses), asText],
  ] as const)('%s', (_, body, expected) => {
    const text = Buffer.from(body()).toString()
    expect(text).toContain(expected)
    JSON.parse(text)
  })

  it('ollama', async () => {
    let sent = ''
    const url = await serve(async (message, response) => {
      message.on('data', (chunk) => {
        sent += chunk
      })
      await once(message, 'end')
      response.end('{"message":{"content":"Ok."},"done":true,"done_reason":"stop"}\n')
    })
    const { failure } = await ask('ollama', url, { request })
    expect(failure).toBeNull()
    expect(sent).toContain(args)
    expect(JSON.parse(sent)).toMatchObject({ model: 'm', stream: true })
  })
})
