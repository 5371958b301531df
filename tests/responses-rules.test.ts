import { describe, expect, it } from 'vitest'
import { sealReasoning } from './support/model-server/responses-frames'
import { refuseResponses } from './support/model-server/responses-rules'

type Item = Record<string, unknown>

const request = { role: 'user', content: 'Look.' }
const thought: Item = {
  id: 'rs_1',
  type: 'reasoning',
  encrypted_content: sealReasoning('rs_1', 'Hm.'),
  summary: [{ type: 'summary_text', text: 'Hm.' }],
}
const call = {
  id: 'fc_1-reasoned-0',
  type: 'function_call',
  call_id: 'call_1',
  name: 'look',
  arguments: '{}',
}
const result = { type: 'function_call_output', call_id: 'call_1', output: 'ok' }
const { id: _, ...bareCall } = call

const body = (input: object[], more: object = {}) => ({ model: 'm', store: false, input, ...more })
const tool = (parameters: object, strict: boolean | null = true) => ({
  tools: [{ type: 'function', name: 'look', parameters, strict }],
})
const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

describe('the rules of the Responses API', () => {
  it.each([
    ['an answer as it was', [request, thought, call, result]],
    ['a call without its id and reasoning', [request, bareCall, result]],
    ['calls without tools', [request, { role: 'assistant', content: 'I look.' }, bareCall, result]],
  ])('take %s', (_name, input) => expect(refuseResponses(body(input))).toBeNull())

  it.each<[string, Record<string, unknown>, string]>([
    ['a call without its output', body([request, thought, call]), 'No tool output found'],
    ['an output without its call', body([request, result]), 'No tool call found'],
    ['two outputs of one call', body([request, bareCall, result, result]), 'Duplicate output'],
    ['a call that lost its reasoning', body([request, call, result]), "required 'reasoning' item"],
    ['reasoning that nothing follows', body([request, thought]), 'required following item'],
    ['reasoning before words of the user', body([thought, request]), 'required following item'],
    [
      'reasoning without its encrypted form',
      body([request, { ...thought, encrypted_content: undefined }, call, result]),
      'not found',
    ],
    [
      'a changed summary',
      body([request, { ...thought, summary: [] }, call, result]),
      'could not be verified',
    ],
    [
      'an id of another kind',
      body([request, { ...bareCall, id: 'toolu_1' }, result]),
      "begins with 'fc'",
    ],
    ['an item of another kind', body([{ type: 'tool_result' }]), 'Invalid value'],
    ['a field of another API', body([request], { messages: [] }), 'Unknown parameter'],
    ['stop sequences', body([request], { stop: ['x'] }), 'Unknown parameter'],
    ['a small limit', body([request], { max_output_tokens: 15 }), 'integer below minimum'],
    [
      'encrypted reasoning of a model without any',
      body([request], { model: 'gpt-4o', include: ['reasoning.encrypted_content'] }),
      'Encrypted content',
    ],
    ['a choice without tools', body([request], { tool_choice: 'required' }), 'tools'],
    ['an open strict schema', body([request], tool({ type: 'object' })), 'additionalProperties'],
    [
      'an open schema that says nothing of strict',
      body([request], tool({ type: 'object' }, null)),
      'additionalProperties',
    ],
    [
      'an optional parameter in a strict schema',
      body([request], tool({ ...closed({ a: { type: 'string' } }), required: [] })),
      "'required'",
    ],
    [
      'an open object in a strict schema',
      body([request], tool(closed({ a: { type: 'object' } }))),
      'additionalProperties',
    ],
  ])('refuse %s', (_name, sent, why) => {
    expect(refuseResponses(sent)?.error.message).toContain(why)
  })
})
