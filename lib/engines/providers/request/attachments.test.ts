import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anthropicBody } from '@/lib/engines/providers/anthropic/anthropic-request'
import { bedrockBody } from '@/lib/engines/providers/bedrock/bedrock-request'
import { chatCompletionsBody } from '@/lib/engines/providers/chat-completions/chat-completions-request'
import { geminiBody } from '@/lib/engines/providers/gemini/gemini-request'
import { ollamaBody } from '@/lib/engines/providers/ollama/ollama-request'
import { responsesBody } from '@/lib/engines/providers/openai/responses-request'
import type { Attachment, Message, ModelRequest } from '@/lib/protocol/model/message'
import { fenceLine } from '@/lib/protocol/model/model-text'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'

const file = (name: string, type: Attachment['type'], content: Attachment['content']) => ({
  id: name,
  name,
  type,
  bytes: 3,
  sha256: name,
  dataClass: 'content' as const,
  fence: { nonce: 'n', canary: 'c' },
  ...(content && { content }),
})
const image = file('cat.png', 'image/png', { bytes: Buffer.from('PNG') })
const pdf = file('bill_1.pdf', 'application/pdf', { bytes: Buffer.from('PDF') })
const text = file('notes.txt', 'text/plain', { text: '<notes>' })

function asking(...attachments: Attachment[]): ModelRequest {
  const message: Message = { role: 'user', text: 'What is it?', attachments }
  return {
    modelId: 'claude-test',
    system: '',
    messages: [message],
    tools: [],
    parameters: defaultModelParameters,
  }
}

const all = asking(image, pdf, text)
const json = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString())
const png = 'data:image/png;base64,UE5H'
const asUrl = 'data:application/pdf;base64,UERG'

test('Responses', () => {
  const dialect = { encryptedReasoning: false, summaries: false, strictTools: false }
  expect(json(responsesBody(all, dialect)).input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_image', image_url: png, detail: 'auto' },
        { type: 'input_file', filename: 'bill_1.pdf', file_data: asUrl },
        { type: 'input_text', text: '<notes>' },
        { type: 'input_text', text: 'What is it?' },
      ],
    },
  ])
})

test('Chat Completions', () => {
  const dialect = { maxTokensField: 'max_tokens', includeUsage: false } as const
  expect(json(chatCompletionsBody(all, dialect)).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: png } },
        { type: 'file', file: { filename: 'bill_1.pdf', file_data: asUrl } },
        { type: 'text', text: '<notes>' },
        { type: 'text', text: 'What is it?' },
      ],
    },
  ])
})

test('Anthropic', () => {
  expect(json(anthropicBody(all)).messages).toMatchObject([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'UE5H' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'UERG' },
          title: 'bill_1.pdf',
        },
        { type: 'text', text: '<notes>' },
        { type: 'text', text: 'What is it?' },
      ],
    },
  ])
})

test('Gemini', () => {
  expect(json(geminiBody(all)).contents).toEqual([
    {
      role: 'user',
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'UE5H' } },
        { inlineData: { mimeType: 'application/pdf', data: 'UERG' } },
        { text: '<notes>' },
        { text: 'What is it?' },
      ],
    },
  ])
})

test('Bedrock', () => {
  expect(json(bedrockBody(all, { cachePoints: false, textFormat: true })).messages).toEqual([
    {
      role: 'user',
      content: [
        { image: { format: 'png', source: { bytes: 'UE5H' } } },
        { document: { format: 'pdf', name: '2 bill 1', source: { bytes: 'UERG' } } },
        { text: '<notes>' },
        { text: 'What is it?' },
      ],
    },
  ])
})

test('Ollama', () => {
  expect(json(ollamaBody(asking(image, text))).messages).toEqual([
    { role: 'user', content: '<notes>\n\nWhat is it?', images: ['UE5H'] },
  ])
})

test('large files go in whole, in their order, the same one as often as it is named', () => {
  const bytes = [200_001, 99_999, 1].map((length) => randomBytes(length))
  const [large, other, small] = bytes.map((content, index) =>
    file(`f${index}`, index === 1 ? 'application/pdf' : 'image/png', { bytes: content }),
  )
  if (!large || !other || !small) throw new Error('Three files were made.')
  const request = asking(other, large, small, large)
  const [{ content }] = json(anthropicBody(request)).messages
  const sent = content.map(({ source }: { source?: { data: string } }) => source?.data)
  const [a, b, c] = bytes.map((each) => each.toString('base64'))
  expect(sent).toEqual([b, a, c, a, undefined])
  expect(Buffer.from(anthropicBody(request)).equals(anthropicBody(request))).toBe(true)
})

const call = { callId: 'c', name: 'look', argumentsText: '{}' }
const result = (id: string, ...attachments: Attachment[]): Message => ({
  role: 'tool',
  providerCallId: id,
  name: 'look',
  content: 'Seen.',
  isError: false,
  ...(attachments.length > 0 && { attachments }),
})

/** Returns two calls of one round, of which the first result has an image, and the model's answer to them. */
function looked(more: Partial<ModelRequest> = {}): ModelRequest {
  const toolCalls = ['t1', 't2'].map((providerCallId) => ({ ...call, providerCallId }))
  const messages: Message[] = [
    { role: 'user', text: 'Look.' },
    { role: 'assistant', text: '', reasoning: [], toolCalls },
    result('t1', image),
    result('t2'),
    { role: 'assistant', text: 'A cat.', reasoning: [], toolCalls: [] },
  ]
  const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
  return { ...all, messages, tools, ...more }
}

describe('a result with an image', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'UE5H' }
  const label = expect.stringContaining('images of the results above, in this order: 1 of look.')

  test('Responses', () => {
    const dialect = { encryptedReasoning: false, summaries: false, strictTools: false }
    const { input } = json(responsesBody(looked(), dialect))
    expect(input.filter(({ type }: { type: string }) => type === 'function_call_output')).toEqual([
      {
        type: 'function_call_output',
        call_id: 't1',
        output: [
          { type: 'input_text', text: 'Seen.' },
          { type: 'input_image', image_url: png, detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 't2', output: 'Seen.' },
    ])
  })

  test('Anthropic, marked where the cache may keep it', () => {
    const request = looked()
    const messages = request.messages.slice(0, 4)
    const [, , results] = json(
      anthropicBody({ ...request, messages: messages.slice(0, 3) }),
    ).messages
    const content = [
      { type: 'text', text: 'Seen.' },
      { type: 'image', source },
    ]
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(results.content).toEqual([{ type: 'tool_result', tool_use_id: 't1', content, ...mark }])
    expect(json(anthropicBody({ ...request, messages })).messages[2].content).toEqual([
      { type: 'tool_result', tool_use_id: 't1', content },
      { type: 'tool_result', tool_use_id: 't2', content: 'Seen.', ...mark },
    ])
  })

  test('Anthropic without tools', () => {
    expect(json(anthropicBody(looked({ tools: [] }))).messages[2].content).toEqual([
      { type: 'text', text: '[Result of look]\nSeen.' },
      { type: 'image', source },
      { type: 'text', text: '[Result of look]\nSeen.' },
    ])
  })

  const bedrockImage = { image: { format: 'png', source: { bytes: 'UE5H' } } }
  test.each([
    [
      'Bedrock',
      looked().tools,
      [
        { toolResult: { toolUseId: 't1', content: [{ text: 'Seen.' }, bedrockImage] } },
        { toolResult: { toolUseId: 't2', content: [{ text: 'Seen.' }] } },
      ],
    ],
    [
      'Bedrock without tools',
      [],
      [{ text: '[Result of look]\nSeen.' }, bedrockImage, { text: '[Result of look]\nSeen.' }],
    ],
  ])('%s', (_, tools, content) => {
    const body = json(bedrockBody(looked({ tools }), { cachePoints: false, textFormat: false }))
    expect(body.messages[2].content).toEqual(content)
  })

  test('Gemini', () => {
    const response = { output: 'Seen.' }
    const inlineData = { mimeType: 'image/png', data: 'UE5H' }
    expect(json(geminiBody(looked())).contents[2].parts).toEqual([
      { functionResponse: { name: 'look', response, parts: [{ inlineData }] } },
      { functionResponse: { name: 'look', response } },
    ])
  })

  const chat = { maxTokensField: 'max_tokens', includeUsage: false } as const
  const image_url = { url: png }
  const wired = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Seen.' })
  const images = {
    role: 'user',
    content: [
      { type: 'image_url', image_url },
      { type: 'text', text: label },
    ],
  }

  test('Chat Completions, behind all results of the round', () => {
    const { messages } = json(chatCompletionsBody(looked(), chat))
    const answer = { role: 'assistant', content: 'A cat.' }
    expect(messages.slice(2)).toEqual([wired('t1'), wired('t2'), images, answer])
    const bridged = json(chatCompletionsBody(looked(), { ...chat, answersResults: true }))
    const bridge = { role: 'assistant', content: expect.stringContaining('look at the images') }
    expect(bridged.messages.slice(2)).toEqual([wired('t1'), wired('t2'), bridge, images, answer])
  })

  test('Ollama', () => {
    expect(json(ollamaBody(looked())).messages.slice(2)).toEqual([
      { role: 'tool', tool_name: 'look', content: 'Seen.' },
      { role: 'tool', tool_name: 'look', content: 'Seen.' },
      { role: 'user', content: label, images: ['UE5H'] },
      { role: 'assistant', content: 'A cat.' },
    ])
  })
})

test('a request without its content is not sent', () => {
  const { content: _, ...bare } = image
  expect(() => anthropicBody(asking(bare))).toThrow('does not have the content')
})

test('the JSON of a message with files is made once', () => {
  const [first, second] = [anthropicBody(all), anthropicBody({ ...all, system: 'Be brief.' })]
  const { messages } = all
  const [message] = messages
  Object.assign(message ?? {}, { text: 'Changed.' })
  expect(Buffer.from(anthropicBody(all)).equals(first)).toBe(true)
  expect(Buffer.from(second).toString()).toContain('What is it?')
  Object.assign(message ?? {}, { text: 'What is it?' })
})

test('T6: the line about our tags stands before a file, too, as the system prompt says', () => {
  const line = fenceLine({ nonce: 'n' })
  const message: Message = { role: 'user', text: `${line}What is it?`, attachments: [text] }
  const question = { ...asking(), messages: [message] }
  const chat = { maxTokensField: 'max_tokens', includeUsage: false } as const
  const responses = { encryptedReasoning: false, summaries: false, strictTools: false }
  const first = [
    json(anthropicBody(question)).messages[0].content[0].text,
    json(bedrockBody(question, { cachePoints: false, textFormat: false })).messages[0].content[0]
      .text,
    json(geminiBody(question)).contents[0].parts[0].text,
    json(responsesBody(question, responses)).input[0].content[0].text,
    json(chatCompletionsBody(question, chat)).messages[0].content[0].text,
    json(ollamaBody(question)).messages[0].content.split('\n\n')[0],
  ]
  expect(first).toEqual(first.map(() => line.trimEnd()))
  const { content } = json(anthropicBody(question)).messages[0]
  expect(content.slice(1)).toEqual([
    { type: 'text', text: '<notes>' },
    { type: 'text', text: 'What is it?' },
  ])
})
