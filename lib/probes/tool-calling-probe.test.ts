import { describe, expect, test } from 'vitest'
import type { ModelFinish } from '@/lib/protocol/model/message'
import { judgeFailure, judgeToolCall } from './tool-calling-probe'

const finish = (part: Partial<ModelFinish>): ModelFinish => ({
  type: 'finish',
  finishReason: 'stop',
  text: '',
  reasoning: [],
  toolCalls: [],
  usage: null,
  ...part,
})
const called = (argumentsText: string, name = 'report_number') =>
  judgeToolCall(
    finish({ finishReason: 'tool-calls', toolCalls: [{ id: null, name, argumentsText }] }),
  ).outcome

describe('what one call shows', () => {
  test('a call with the argument confirms, anything else that is whole does not', () => {
    expect(called('{"number":7}')).toBe('confirmed')
    expect(called('{"number":"7"}')).toBe('unsupported')
    expect(called('{"number":7')).toBe('unsupported')
    expect(called('null')).toBe('unsupported')
    expect(called('{"number":7}', 'Report_Number')).toBe('unsupported')
    expect(judgeToolCall(finish({ text: 'report_number(7)' })).outcome).toBe('unsupported')
  })

  test('an answer that is not whole shows nothing', () => {
    for (const finishReason of ['length', 'cut', 'content-filter'] as const) {
      expect(judgeToolCall(finish({ finishReason })).outcome).toBe('failed')
    }
  })

  test('a failure shows nothing either, but for Ollama’s refusal of tools', () => {
    const failure = { category: 'bad-request', status: 400, advice: 'No.' } as const
    const stored = { ...failure, incidentId: 'i', retryAfterMs: null }
    expect(judgeFailure('openai', stored)).toEqual({ outcome: 'failed', message: 'No.' })
    expect(judgeFailure('ollama', stored).outcome).toBe('unsupported')
    expect(judgeFailure('ollama', { ...stored, status: 500 }).outcome).toBe('failed')
  })
})
