import { afterEach, describe, expect, it } from 'vitest'
import { ask, closeAll, serve } from '@/lib/engines/providers/__fixtures__/ask-provider'
import { chatCompletionsBody } from '@/lib/engines/providers/chat-completions/chat-completions-request'
import { openAiDialect } from '@/lib/engines/providers/chat-completions/openai-compatible'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters, defaultOptions } from '@/lib/protocol/parameters/parameters'
import { openAiCaching } from './openai-caching'
import { responsesBody } from './responses-request'

afterEach(closeAll)

const { noFallbackOn: _, promptedHops: __, ...options } = defaultOptions
const request: ModelRequest = {
  modelId: 'gpt-5.6',
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
  parameters: defaultModelParameters,
  options: { ...options, outputSchema: null },
}
const off = { ...request, options: { ...options, outputSchema: null, promptCaching: false } }
const responses = {
  encryptedReasoning: false,
  summaries: false,
  strictTools: false,
  cacheOptions: true,
}
const bodies: [string, (request: ModelRequest) => Uint8Array][] = [
  ['Responses', (input) => responsesBody(input, responses)],
  ['Chat Completions', (input) => chatCompletionsBody(input, openAiDialect)],
]
const json = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString())

describe.each(bodies)('R15d: %s', (_name, bodyOf) => {
  it('marks the system text, and names the beginning that requests share', () => {
    const body = json(bodyOf(request))
    const [system] = body.input ?? body.messages
    expect(system).toMatchObject({
      role: 'system',
      content: [{ text: 'Be brief.', prompt_cache_breakpoint: { mode: 'explicit' } }],
    })
    expect(body).not.toHaveProperty('instructions')
    expect(body.prompt_cache_options).toEqual({ mode: 'implicit' })
    expect(body.prompt_cache_key).toMatch(/^toolgate-[0-9a-f]{32}$/)
    const later = { ...request, messages: [{ role: 'user' as const, text: 'Bye' }] }
    expect(json(bodyOf(later)).prompt_cache_key).toBe(body.prompt_cache_key)
  })

  it('keeps nothing when caching is off', () => {
    const body = json(bodyOf(off))
    expect(body.prompt_cache_options).toEqual({ mode: 'explicit' })
    expect(JSON.stringify(body)).not.toContain('prompt_cache_breakpoint')
    expect(body).not.toHaveProperty('prompt_cache_key')
  })

  it('says nothing about caching to models that cannot be told', () => {
    expect(JSON.stringify(json(bodyOf({ ...off, modelId: 'gpt-5.5' })))).not.toContain('cache')
  })
})

it.each([
  ['gpt-5.6', true],
  ['gpt-5.6-mini', true],
  ['openai/gpt-5.10', true],
  ['gpt-6', true],
  ['gpt-5', false],
  ['gpt-5.5-pro', false],
  ['gpt-4o', false],
  ['gpt-35-turbo', false],
])('%s can be told what to cache: %s', (modelId, hasOptions) => {
  const { fields } = openAiCaching({ ...off, modelId })
  expect(fields).toEqual(hasOptions ? { prompt_cache_options: { mode: 'explicit' } } : {})
})

it('asks again without the fields where a server refuses them, and says what that means', async () => {
  const bodies: Record<string, unknown>[] = []
  const url = await serve(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    bodies.push(body)
    const isRefused = body.prompt_cache_options !== undefined
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Ok.' }] }
    const answer = { object: 'response', status: 'completed', output: [item] }
    const refusal = { error: { message: "Unknown parameter: 'prompt_cache_options'." } }
    response.end(JSON.stringify(isRefused ? refusal : answer))
  })
  const { events } = await ask('openai', url, { request: off })
  expect(events.at(-1)).toMatchObject({
    type: 'finish',
    resent: 1,
    notes: [expect.stringContaining('switch prompt caching off')],
  })
  expect(bodies.map((body) => 'prompt_cache_options' in body)).toEqual([true, false])
})
