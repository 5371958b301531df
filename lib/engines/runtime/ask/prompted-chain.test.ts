import { expect, test } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'
import {
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { asks, fails, finish, says } from '@/tests/support/scripted-model'

const asksFor = (name: string, args: object = {}) =>
  says(`<tool_call>${JSON.stringify({ name, args })}</tool_call>`)
const plain = { toolCalling: 'unsupported' } as const
const look = testTool('look', { execute: async () => ({ content: 'It is 42.' }) })

function prompted(targets: ModelTarget[] = [modelTarget(plain)], promptedHops = 2) {
  const options = ConfigurationOptions.parse({ promptedHops })
  return runInput({ snapshot: runSnapshot({ targets, options, maxRounds: 9 }) })
}

function lastText({ messages }: ModelRequest): string {
  const last = messages.at(-1)
  return last?.role === 'user' ? last.text : ''
}

test('the mode may differ in a chain: native history goes to a prompted model as text', async () => {
  const targets = [modelTarget({ maxTries: 1 }), modelTarget({ ...plain, modelId: 'small' })]
  const run = runFixture({
    script: [
      [...says('Two at once.').slice(0, -1), ...asks(['look', { n: 1 }], ['look', { n: 2 }])],
      fails('rate-limited'),
      asksFor('look', { n: 3 }),
      says('42.'),
    ],
    tools: [look],
  })
  const state = await runAgent(prompted(targets), run.deps)
  run.model.verify()
  expect(state.end?.reason).toBe('completed')
  const request = run.model.calls[2]?.request
  expect(request?.tools).toEqual([])
  expect(request?.messages[1]).toMatchObject({
    role: 'assistant',
    toolCalls: [],
    text: '<tool_call>{"name":"look","args":{"n":1}}</tool_call>\n<tool_call>{"name":"look","args":{"n":2}}</tool_call>',
  })
  expect(request && lastText(request).match(/<tool_result name="look">/g)).toHaveLength(2)
})

test('and a prompted history goes to a native model as calls, but for what is none', async () => {
  const targets = [modelTarget({ ...plain, maxTries: 1 }), modelTarget({ modelId: 'big' })]
  const run = runFixture({
    script: [
      says('Hm. <tool_call>{"name":</tool_call>'),
      finishing('Look: <tool_call>{"name":"look","args":{"n":1}}</tool_call>', '["written"]'),
      fails('rate-limited'),
      says('42.'),
    ],
    tools: [look],
  })
  await runAgent(prompted(targets), run.deps)
  run.model.verify()
  expect(run.model.calls[2]?.request.messages[3]).toMatchObject({ native: '["written"]' })
  const request = run.model.calls[3]?.request
  expect(request?.tools).toHaveLength(1)
  const [, bad, refusal, good, result] = request?.messages ?? []
  expect(bad).toMatchObject({
    role: 'assistant',
    text: 'Hm. <tool_call>{"name":</tool_call>',
    toolCalls: [],
  })
  expect(refusal).toMatchObject({ role: 'user', text: expect.stringContaining('bad_json') })
  expect(good).toMatchObject({
    text: 'Look:',
    toolCalls: [{ name: 'look', argumentsText: '{"n":1}' }],
  })
  expect(good).not.toHaveProperty('native')
  expect(result).toMatchObject({ role: 'tool', name: 'look' })
})

function finishing(text: string, native: string) {
  return [finish({ text, native })]
}
