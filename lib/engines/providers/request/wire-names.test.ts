import { afterEach, describe, expect, it, test } from 'vitest'
import { closeAll } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { bedrockBody } from '@/lib/engines/providers/bedrock/bedrock-request'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { cleanName } from '@/lib/words/clean-text'
import { anthropicRefusal } from '@/tests/support/strict-providers/anthropic-rules'
import { chatRefusal, mistralRule } from '@/tests/support/strict-providers/chat-rules'
import { callScripts, playRun } from '@/tests/support/strict-providers/play-run'
import type { Json } from '@/tests/support/strict-providers/strict-provider'
import { wireName } from './wire-names'

afterEach(closeAll)

const invented = ['functions.list_groups', 'list_groups<|channel|>commentary', 'x'.repeat(200)]
const legal = /^[a-z_][\w-]{0,63}$/i

/** Returns every name of a call or a result in a value. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const isName = (key === 'name' || key === 'tool_name') && typeof inner === 'string'
    return isName ? [inner] : namesIn(inner)
  })
}

/** Refuses names as strict providers do. */
function nameRefusal(wire: string, body: Json): string | null {
  const bad = namesIn(body).find((name) => !legal.test(name))
  if (bad !== undefined) return `Invalid name: string does not match pattern: ${bad}`
  return wire === 'anthropic' ? anthropicRefusal(body, []) : null
}

const ollama = {
  calls: (calls: readonly { name: string; args: object }[]) => {
    const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }))
    return `${JSON.stringify({ message: { content: '', tool_calls }, done: true, done_reason: 'stop' })}\n`
  },
  done: `${JSON.stringify({ message: { content: 'Done.' }, done: true, done_reason: 'stop' })}\n`,
}

describe.each([...Object.entries(callScripts), ['ollama', ollama] as const])(
  '%s',
  (name, script) => {
    const wire = name as keyof typeof callScripts

    it('R12: names that the model made up go back in a legal form, and the run goes on', async () => {
      const requested = invented.map((name, at) => ({ id: `call_${at}`, name, args: { at } }))
      const real = { id: 'call_9', name: 'list_groups', args: {} }
      const answers = [script.calls(requested), script.calls([real]), script.done]
      const refusal = (body: Json) => nameRefusal(wire, body)
      const { end, ran, refusals, bodies } = await playRun({ wire, answers, refusal })
      expect(refusals).toEqual([])
      expect(end?.reason).toBe('completed')
      expect(ran).toEqual(['list_groups {}'])
      const sent = JSON.stringify(bodies[1])
      expect(sent.split('The nearest name is list_groups.')).toHaveLength(3)
    })
  },
)

const toolCall = (name: string, id: string) => ({
  callId: 'k',
  providerCallId: id,
  name,
  argumentsText: '{}',
})

function messagesWith(name: string, id: string): Message[] {
  return [
    { role: 'user', text: 'Look.' },
    { role: 'assistant', text: '', reasoning: [], toolCalls: [toolCall(name, id)] },
    { role: 'tool', providerCallId: id, name, content: 'ok', isError: false },
  ]
}

test.each(invented)('R12: Bedrock is sent %s in a legal form', (name) => {
  const request: ModelRequest = {
    modelId: 'anthropic.claude-sonnet-4-5',
    system: '',
    messages: messagesWith(name, 'call_1'),
    tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
    parameters: defaultModelParameters,
  }
  const body = bedrockBody(request, { cachePoints: true, textFormat: true })
  const names = namesIn(JSON.parse(Buffer.from(body).toString()))
  expect(names).toHaveLength(2)
  for (const each of names) expect(each).toMatch(legal)
})

test('a name has the same legal form before and after it was cleaned', () => {
  for (const name of [...invented, 'a\0b', '1\ud800x', `é${'.'.repeat(300)}`, '-', 'look']) {
    expect(wireName(cleanName(name))).toBe(wireName(name))
    expect(wireName(name)).toMatch(legal)
  }
  expect(wireName('list_groups')).toBe('list_groups')
})

describe('R12: the call ids of another provider', () => {
  const calls = ['toolu_01ABCdef0123456789', 'call_00000000000070008000000000000001']
  const { calls: chatCalls, done } = callScripts['openai-compatible']
  const requested = calls.map((id) => ({ id, name: 'look', args: { id } }))
  const plain = chatCalls(requested).replace(/,"extra_content":\{"google":\{[^}]*\}\}/, '')

  it.each([
    ['are known from the name of the model', 'mistral-large-latest', 2],
    ['are learned from a refusal', 'our-model', 3],
  ])('become nine characters for Mistral: they %s', async (_, modelId, requests) => {
    const refusal = (body: Json) =>
      chatRefusal(body, [{ tool_calls: requested }], mistralRule) ?? badId(body)
    const answers = requests === 2 ? [plain, done] : [plain, '', done]
    const { end, bodies, ran } = await playRun({
      wire: 'openai-compatible',
      answers,
      modelId,
      refusal,
    })
    expect(end?.reason).toBe('completed')
    expect(ran).toHaveLength(2)
    expect(bodies).toHaveLength(requests)
    const messages = (bodies.at(-1)?.messages ?? []) as Json[]
    const ids = messages.flatMap(({ tool_calls }) =>
      ((tool_calls ?? []) as Json[]).map(({ id }) => id),
    )
    expect(ids).toHaveLength(2)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(new Set(ids).size).toBe(2)
  })
})

function badId({ messages }: Json): string | null {
  const calls = (messages as Json[]).flatMap(({ tool_calls }) => (tool_calls ?? []) as Json[])
  const bad = calls.find(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(String(id)))
  return bad ? `Tool call id was ${bad.id} but must be a-z, A-Z, 0-9, with a length of 9.` : null
}
