import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { read } from '@/lib/engines/providers/__fixtures__/read-recording'
import { anthropicRefusal } from '@/tests/support/strict-providers/anthropic-rules'
import { callScripts, playRun } from '@/tests/support/strict-providers/play-run'
import type { Json } from '@/tests/support/strict-providers/strict-provider'

afterEach(closeAll)

const look = (n: number, id = 'call_1') => ({ id, name: 'look', args: { n } })

/** Returns the ids of the calls and of the results of a request, in order; names where Gemini has no id. */
const idsIn: Record<
  keyof typeof callScripts,
  (body: Json) => [calls: unknown[], results: unknown[]]
> = {
  gemini: ({ contents }) => {
    const parts = (contents as Json[]).flatMap((content) => content.parts as Json[])
    const ids = (field: string) =>
      parts.flatMap((part) => (part[field] ? [(part[field] as Json).id] : []))
    return [ids('functionCall'), ids('functionResponse')]
  },
  anthropic: ({ messages }) => {
    const blocks = (messages as Json[]).flatMap(({ content }) => content as Json[])
    const ids = (field: string) => blocks.flatMap((block) => block[field] ?? [])
    return [ids('id'), ids('tool_use_id')]
  },
  openai: ({ input }) => {
    const ids = (type: string) =>
      (input as Json[]).flatMap((item) => (item.type === type ? [item.call_id] : []))
    return [ids('function_call'), ids('function_call_output')]
  },
  'openai-compatible': ({ messages }) => {
    const all = messages as Json[]
    const calls = all.flatMap(({ tool_calls }) => (tool_calls ?? []) as Json[])
    return [calls.map(({ id }) => id), all.flatMap(({ tool_call_id }) => tool_call_id ?? [])]
  },
}

describe.each(['gemini', 'anthropic', 'openai', 'openai-compatible'] as const)('%s', (wire) => {
  const { calls, done } = callScripts[wire]
  const refusal = (body: Json) => (wire === 'anthropic' ? anthropicRefusal(body, []) : null)

  it('R12: the same id, name and arguments twice are one call, and every call has its result', async () => {
    const answers = [calls([look(1), look(1), look(2, 'call_2')]), done]
    const { ran, end, bodies, refusals, warnings } = await playRun({ wire, answers, refusal })
    expect(refusals).toEqual([])
    expect(end?.reason).toBe('completed')
    expect(ran).toEqual(['look {"n":1}', 'look {"n":2}'])
    const sent = bodies[1] ?? {}
    // Google's own parts go back unchanged, each with its result.
    const ids = wire === 'gemini' ? ['call_1', 'call_1', 'call_2'] : ['call_1', 'call_2']
    expect(idsIn[wire](sent)).toEqual([ids, ids])
    expect(warnings).toEqual([])
    expect(JSON.stringify(sent)).toContain(
      wire === 'openai' ? 'secret' : wire === 'anthropic' ? 's==' : 'c2lnQQ==',
    )
  })

  it('R12: different arguments under one id are two calls, with their own results', async () => {
    const answers = [calls([look(1), look(2)]), done]
    const { ran, end, bodies } = await playRun({ wire, answers })
    expect(end?.reason).toBe('completed')
    expect(ran).toEqual(['look {"n":1}', 'look {"n":2}'])
    const sent = bodies[1] ?? {}
    const [request, answered] = idsIn[wire](sent)
    expect(answered).toEqual(request)
    expect(request).toHaveLength(2)
    if (wire !== 'gemini') expect(new Set(request).size).toBe(2)
    if (wire.startsWith('gemini') || wire === 'openai-compatible') {
      expect(JSON.stringify(sent)).toContain('c2lnQQ==')
    }
  })
})

it('R15c: a call id of an earlier round costs Gemini no signature', async () => {
  const { calls, done } = callScripts.gemini
  const answers = [calls([look(1)]), calls([look(2)]), done]
  const { ran, bodies } = await playRun({ wire: 'gemini', answers, modelId: 'gemini-3.1-pro' })
  expect(ran).toHaveLength(2)
  const text = JSON.stringify(bodies[2])
  expect(text.split('c2lnQQ==')).toHaveLength(3)
  expect(text).not.toContain('skip_thought_signature_validator')
  expect(idsIn.gemini(bodies[2] ?? {})).toEqual([
    ['call_1', 'call_1'],
    ['call_1', 'call_1'],
  ])
})

it.each([
  ['without an index', {}],
  ['always with index 0', { index: 0 }],
])('R12: Chat Completions, the same whole call twice %s is one call', (_, place) => {
  const call = { ...place, id: 'call_1', function: { name: 'look', arguments: '{"n":1}' } }
  const event = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  const once = event({ tool_calls: [call] }, null)
  const answer = `${once}${once}${event({}, 'tool_calls')}data: [DONE]\n\n`
  const { finish } = read('openai-compatible', [Buffer.from(answer)])
  expect(finish?.toolCalls).toEqual([{ id: 'call_1', name: 'look', argumentsText: '{"n":1}' }])
})
