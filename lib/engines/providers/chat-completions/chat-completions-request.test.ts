import { describe, expect, it } from 'vitest'
import type { Message } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
import { openAiDialect } from './openai-compatible'

const parameters = defaultModelParameters

function messagesSent(messages: Message[]) {
  const request = { modelId: 'm', system: '', messages, tools: [], parameters }
  const bytes = chatCompletionsBody(request, { maxTokensField: 'max_tokens', includeUsage: false })
  return JSON.parse(Buffer.from(bytes).toString()).messages
}

const answer = (signature: string | null): Message => ({
  role: 'assistant',
  text: '',
  reasoning: [{ text: 'Hm.', signature, redacted: false }],
  toolCalls: [{ callId: 'c', providerCallId: 'p', name: 't', argumentsText: '{}' }],
})

describe('chatCompletionsBody', () => {
  it('sends reasoning back in the field it came in, and no reasoning of other wires', () => {
    expect(messagesSent([answer('field:reasoning_content')])[0].reasoning_content).toBe('Hm.')
    expect(messagesSent([answer('field:reasoning')])[0].reasoning).toBe('Hm.')
    for (const signature of [null, 'anthropic==', 'field:content', 'field:role']) {
      expect(Object.keys(messagesSent([answer(signature)])[0])).toEqual([
        'role',
        'content',
        'tool_calls',
      ])
    }
  })

  it('sends the same bytes for the same message object, and new ones for a new object', () => {
    const message: Message = { role: 'user', text: 'Grüße "\n' }
    const sent = [message, { ...message, text: 'else' }]
    expect(messagesSent(sent)).toEqual([
      { role: 'user', content: 'Grüße "\n' },
      { role: 'user', content: 'else' },
    ])
    expect(messagesSent(sent)).toEqual(messagesSent(structuredClone(sent)))
  })

  it('asks a server of OpenAI to keep to the schema of a tool that allows it', () => {
    const look = { type: 'object' as const, properties: { n: { type: 'integer' } } }
    const closed = { ...look, required: ['n'], additionalProperties: false }
    const tool = (name: string, schema: typeof look) => ({
      name,
      description: 'Looks.',
      parameters: schema,
    })
    const tools = [tool('look', closed), tool('look_open', look)]
    const request = { modelId: 'm', system: '', messages: [], tools, parameters }
    const sent = (dialect: ChatDialect) =>
      JSON.parse(Buffer.from(chatCompletionsBody(request, dialect)).toString()).tools.map(
        (each: { function: object }) => each.function,
      )
    expect(sent(openAiDialect)).toMatchObject([
      { name: 'look', strict: true, parameters: closed },
      { name: 'look_open', parameters: look },
    ])
    expect(sent(openAiDialect)[1]).not.toHaveProperty('strict')
    expect(sent({ maxTokensField: 'max_tokens', includeUsage: false })[0]).not.toHaveProperty(
      'strict',
    )
  })
})
