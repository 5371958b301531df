import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import type { ModelTarget } from '@/lib/protocol/model-target'
import type { RunSnapshot } from '@/lib/protocol/run-snapshot'
import type { PlannedCall } from '@/lib/runtime/deps'
import { runAgent } from '@/lib/runtime/run-agent'
import { startModelServer } from '@/tests/support/model-server/start-model-server'
import { modelTarget, runFixture, runInput, runSnapshot } from '@/tests/support/run-fixture'
import { closeAll, closeLater, key, serve, type Wire, wires } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { openProvider } from './open-provider'

afterEach(closeAll)

type Asking = {
  target?: Partial<ModelTarget>
  parameters?: Partial<RunSnapshot['parameters']>
  /** Whether a budget counts the call. */
  budgeted?: boolean
}

/** The one body that a run of the loop sends over a wire, and what was held for it. */
async function sentBy(wire: Wire, { target, parameters, budgeted = false }: Asking) {
  const bodies: Record<string, unknown>[] = []
  const model = await startModelServer({ turns: [{ text: 'Hello.' }] })
  closeLater(model.close)
  const url = await serve(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(JSON.parse(body.toString()))
    const answer = await fetch(`${model.url}${message.url}`, { method: 'POST', body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const baseUrl = wire.startsWith('openai') ? `${url}/v1` : url
  const provider = openProvider(wire, providerOptions({ baseUrl, apiKey: key }))
  const held: PlannedCall[] = []
  const { deps } = runFixture({
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      sleep: async (_ms, signal) => void (await once(signal, 'abort')),
      reserve: async (call) => {
        held.push(call)
        const reservationId = budgeted ? '00000000-0000-7000-8000-000000000001' : null
        return { type: 'held', reservationId, warning: null }
      },
    },
  })
  const plain = runSnapshot()
  const snapshot = runSnapshot({
    targets: [modelTarget({ wire, ...target })],
    parameters: { ...plain.parameters, ...parameters },
  })
  const { end } = await runAgent(runInput({ snapshot }), deps)
  expect(end?.reason).toBe('completed')
  expect(bodies).toHaveLength(1)
  return { body: bodies[0] ?? {}, held: held[0]?.outputTokens ?? 0 }
}

/** The limit in a body, wherever this wire has it. */
function limitOf(wire: Wire, body: Record<string, unknown>): unknown {
  if (wire === 'openai') return body.max_completion_tokens
  if (wire === 'ollama') return (body.options as Record<string, unknown> | undefined)?.num_predict
  return body.max_tokens
}

describe.each(wires)('%s', (wire) => {
  it('carries what a budget held when nothing else limits the answer (SPEC M2)', async () => {
    const { body, held } = await sentBy(wire, { budgeted: true })
    expect(held).toBe(8_192)
    expect(limitOf(wire, body)).toBe(held)
    const small = await sentBy(wire, { budgeted: true, target: { contextTokens: 6_000 } })
    expect(small.held).toBeLessThan(6_000)
    if (wire !== 'anthropic') expect(limitOf(wire, small.body)).toBe(small.held)
  })

  it('carries the limit of configuration and model, and of nobody when there is none', async () => {
    const set = await sentBy(wire, { budgeted: true, parameters: { maxOutputTokens: 100 } })
    expect(limitOf(wire, set.body)).toBe(100)
    const cut = await sentBy(wire, {
      target: { maxOutputTokens: 50 },
      parameters: { maxOutputTokens: 100 },
    })
    expect(limitOf(wire, cut.body)).toBe(50)
    if (wire === 'anthropic') return
    expect(limitOf(wire, (await sentBy(wire, {})).body)).toBeUndefined()
    const known = await sentBy(wire, { budgeted: true, target: { maxOutputTokens: 500 } })
    expect(limitOf(wire, known.body)).toBeUndefined()
    expect(known.held).toBe(500)
  })

  it('asks no model to think that cannot', async () => {
    const parameters = { reasoningEffort: 'low' } as const
    const fields = /"think|reasoning_effort|output_config/
    const plain = await sentBy(wire, { parameters, target: { reasoning: false } })
    expect(JSON.stringify(plain.body)).not.toMatch(fields)
    for (const reasoning of [true, null]) {
      const { body } = await sentBy(wire, { parameters, target: { reasoning } })
      expect(JSON.stringify(body)).toMatch(fields)
    }
  })
})

it('anthropic: asks for no more than the model can write, thinking and all', async () => {
  const { body, held } = await sentBy('anthropic', {
    target: { modelId: 'claude-sonnet-4-5', maxOutputTokens: 64_000 },
    parameters: { maxOutputTokens: 64_000, reasoningEffort: 'low' },
  })
  expect(body.max_tokens).toBe(64_000)
  expect(held).toBe(64_000)
})
