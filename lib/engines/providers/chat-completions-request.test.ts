import { describe, expect, it } from 'vitest'
import type { Message } from '@/lib/protocol/message'
import { defaultModelParameters } from '@/lib/protocol/parameters'
import { chatCompletionsBody } from './chat-completions-request'

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
})
