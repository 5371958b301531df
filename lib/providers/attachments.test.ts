import { expect, test } from 'vitest'
import type { Attachment, Message } from '@/lib/protocol/message'
import type { ModelRequest } from '@/lib/protocol/model-event'
import { anthropicBody } from './anthropic-request'
import { bedrockBody } from './bedrock-request'
import { chatCompletionsBody } from './chat-completions-request'
import { geminiBody } from './gemini-request'
import { ollamaBody } from './ollama-request'
import { responsesBody } from './responses-request'

const file = (name: string, type: Attachment['type'], content: Attachment['content']) => ({
  ...{ id: name, name, type, bytes: 3, sha256: name, dataClass: 'content' as const },
  fence: { nonce: 'n', canary: 'c' },
  ...(content && { content }),
})
const image = file('cat.png', 'image/png', { base64: 'UE5H' })
const pdf = file('bill_1.pdf', 'application/pdf', { base64: 'UERG' })
const text = file('notes.txt', 'text/plain', { text: '<notes>' })

function asking(...attachments: Attachment[]): ModelRequest {
  const message: Message = { role: 'user', text: 'What is it?', attachments }
  const parameters = {
    ...{ temperature: null, topP: null, maxOutputTokens: null, stop: [], seed: null },
    reasoningEffort: null,
  }
  return { modelId: 'claude-test', system: '', messages: [message], tools: [], parameters }
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
  expect(json(bedrockBody(all, { cachePoints: false })).messages).toEqual([
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
