import { describe, expect, it } from 'vitest'
import { read } from './__fixtures__/read-recording'

const chat = (reason: string) =>
  `data: {"choices":[{"index":0,"delta":{},"finish_reason":"${reason}"}]}`
const chatCall =
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{}"}}]}}]}'
const gemini = (reason: string) => `data: {"candidates":[{"finishReason":"${reason}"}]}`
const geminiCall =
  'data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{}}}]}}]}'
const messages = (reason: string) =>
  `data: {"type":"message_delta","delta":{"stop_reason":"${reason}"},"usage":{"output_tokens":1}}`
const messagesCall = [
  'data: {"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}',
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}',
  'data: {"type":"content_block_stop","index":0}',
].join('\n\n')

describe('an answer that names two ends', () => {
  it.each([
    ['openai-compatible', chatCall, chat('length'), chat('tool_calls'), 'data: [DONE]'],
    ['gemini', geminiCall, gemini('MAX_TOKENS'), gemini('STOP'), ''],
    [
      'anthropic',
      messagesCall,
      messages('max_tokens'),
      messages('tool_use'),
      'data: {"type":"message_stop"}',
    ],
  ] as const)('%s: runs no call when one of them cut it', (wire, call, cut, good, last) => {
    const readTurn = (...lines: string[]) =>
      read(wire, [Buffer.from([call, ...lines, last, ''].join('\n\n'))]).finish
    expect(readTurn(good)).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [{ name: 'look' }],
    })
    expect(readTurn(cut, good)).toMatchObject({ finishReason: 'length', toolCalls: [] })
    expect(readTurn(good, cut)).toMatchObject({ finishReason: 'length', toolCalls: [] })
  })
})
