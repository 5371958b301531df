import { expect, it } from 'vitest'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters, defaultOptions } from '@/lib/protocol/parameters/parameters'
import { bedrockBody } from './bedrock-request'

const request: ModelRequest = {
  modelId: 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

function bodyOf(change: Partial<ModelRequest>) {
  const bytes = bedrockBody({ ...request, ...change }, { cachePoints: true, textFormat: true })
  return JSON.parse(Buffer.from(bytes).toString())
}

const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' as const } }]
const optionsOf = (change: Partial<NonNullable<ModelRequest['options']>>) => ({
  ...defaultOptions,
  ...change,
})

it('carries parameters in their places, and further fields beside them', () => {
  const sent = bodyOf({
    modelId: 'amazon.nova-pro-v1:0',
    parameters: {
      ...defaultModelParameters,
      temperature: 0.2,
      topP: 0.9,
      maxOutputTokens: 99,
      stop: ['END'],
      seed: 7,
    },
    options: optionsOf({
      serviceTier: 'flex',
      extraBody: {
        additionalModelRequestFields: { inferenceConfig: { topK: 5 } },
        inferenceConfig: { maxTokens: 1 },
        messages: [],
      },
    }),
  })
  expect(sent).toEqual({
    system: [{ text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    inferenceConfig: { temperature: 0.2, topP: 0.9, maxTokens: 99, stopSequences: ['END'] },
    serviceTier: { type: 'flex' },
    additionalModelRequestFields: { inferenceConfig: { topK: 5 } },
  })
})

it.each([
  ['auto' as const, undefined],
  ['required' as const, { any: {} }],
  [{ tool: 'look' }, { tool: { name: 'look' } }],
])('says which tool may be asked for: %j', (toolChoice, expected) => {
  const sent = bodyOf({ tools, options: optionsOf({ toolChoice }) })
  expect((sent.toolConfig as { toolChoice?: object }).toolChoice).toEqual(expected)
})

it('offers no tool where none may be asked for', () => {
  const sent = bodyOf({ tools, options: optionsOf({ toolChoice: 'none' }) })
  expect(sent).not.toHaveProperty('toolConfig')
})

it('has no cache points where they are not wanted', () => {
  expect(JSON.stringify(bodyOf({ tools }))).toContain('cachePoint')
  const sent = bodyOf({ tools, options: optionsOf({ promptCaching: false }) })
  expect(JSON.stringify(sent)).not.toContain('cachePoint')
})

it('takes what another provider wrote, in the words of this one', () => {
  const messages: Message[] = [
    { role: 'user', text: 'Look.' },
    {
      role: 'assistant',
      text: ' ',
      reasoning: [
        { text: 'Hm.', signature: 'field:reasoning_content', redacted: false },
        { text: 'Signed.', signature: 'EqQB', redacted: false },
        { text: '', signature: 'bedrock:EmwK', redacted: true },
      ],
      toolCalls: [
        { callId: 'c', providerCallId: 'call/1 ü', name: 'look', argumentsText: '{"half' },
      ],
    },
    { role: 'tool', providerCallId: 'call/1 ü', name: 'look', content: '', isError: true },
    { role: 'user', text: 'Go on.' },
    { role: 'assistant', text: '', reasoning: [], toolCalls: [] },
    { role: 'user', text: 'Well?' },
  ]
  const sent = bodyOf({ messages, tools, options: optionsOf({ promptCaching: false }) })
  expect(sent.messages).toEqual([
    { role: 'user', content: [{ text: 'Look.' }] },
    {
      role: 'assistant',
      content: [{ toolUse: { toolUseId: 'call_1__', name: 'look', input: {} } }],
    },
    {
      role: 'user',
      content: [
        {
          toolResult: { toolUseId: 'call_1__', content: [{ text: '(empty)' }], status: 'error' },
        },
        { text: 'Go on.' },
      ],
    },
    { role: 'assistant', content: [{ text: '(empty)' }] },
    { role: 'user', content: [{ text: 'Well?' }] },
  ])
})

it('never asks a Claude model for a temperature and top P at once', () => {
  const parameters = { ...defaultModelParameters, temperature: 0.2, topP: 0.9 }
  expect(bodyOf({ parameters }).inferenceConfig).toEqual({ maxTokens: 8_192, topP: 0.9 })
})
