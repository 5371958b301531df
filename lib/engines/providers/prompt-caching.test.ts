import { afterEach, describe, expect, it } from 'vitest'
import { runAgent } from '@/lib/engines/runtime/run-agent'
import { ModelTarget } from '@/lib/protocol/model/model-target'
import { ConfigurationOptions } from '@/lib/protocol/parameters/parameters'
import { openPromptCache } from '@/tests/support/model-server/prompt-cache'
import type { ScriptedTurn } from '@/tests/support/model-server/scripted-turn'
import {
  type ModelServerOptions,
  startModelServer,
} from '@/tests/support/model-server/start-model-server'
import {
  modelTarget,
  runFixture,
  runInput,
  runSnapshot,
  testTool,
} from '@/tests/support/run-fixture'
import { expectStablePrefix, requestParts, spokenItems } from '@/tests/support/stable-prefix'
import { closeAll, closeLater, key, serve, type Wire, wires } from './__fixtures__/ask-provider'
import { providerOptions } from './__fixtures__/provider-options'
import { openProvider } from './open-provider'

afterEach(closeAll)

const usd = (dollars: number) => dollars * 1_000_000
/** The multipliers that Anthropic documents: a write is 1.25 of the input, a read a tenth. */
const prices = {
  input: usd(3),
  output: usd(15),
  cachedInput: usd(0.3),
  cacheWrite: usd(3.75),
  reasoning: null,
}

const fartherWires = ['azure-openai', 'bedrock', 'gemini'] as const

/** Bedrock marks for the models that it keeps beginnings for. */
const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const onBedrock = { region: 'eu-west-1', authentication: 'key', accessKeyId: 'AKIDEXAMPLE012345' }

type Asking = {
  tag?: string
  systemPrompt?: string
  promptCaching?: boolean
  result?: string
  maxRounds?: number
}

/** Makes one run of the loop over an API. Returns the bodies that it sent as text, and its state. */
async function run(
  wire: Wire | (typeof fartherWires)[number],
  served: ModelServerOptions,
  asking: Asking = {},
) {
  const bodies: string[] = []
  const model = await startModelServer(served)
  closeLater(model.close)
  const url = await serve(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    const path = message.url?.replace(/^\/openai/, '') ?? ''
    const answer = await fetch(`${model.url}${path}`, { method: 'POST', body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const baseUrl = wire.startsWith('openai') ? `${url}/v1` : url
  const settings = wire === 'bedrock' ? onBedrock : {}
  const provider = openProvider(wire, providerOptions({ baseUrl, apiKey: key, settings }))
  const { tag = 'a', result = 'done', systemPrompt = 'Be brief.', maxRounds = 5 } = asking
  let ids = 0
  const { deps } = runFixture({
    tools: [
      testTool('look', { execute: async () => ({ content: result }) }),
      testTool('list', { description: 'Lists "things" — schön.' }),
    ],
    deps: {
      streamModel: (_target, request, signal) => provider.stream(request, signal),
      // Its only wait is for the end of its time.
      after: () => () => undefined,
      newId: () => `00000000-0000-7000-8000-${tag.repeat(6)}${String(++ids).padStart(6, '0')}`,
    },
  })
  const snapshot = runSnapshot({
    systemPrompt,
    maxRounds,
    targets: [modelTarget({ wire, prices, ...(wire === 'bedrock' && { modelId: claude }) })],
    options: ConfigurationOptions.parse({ promptCaching: asking.promptCaching }),
  })
  const state = await runAgent(runInput({ snapshot }), deps)
  expect(state.end?.reason, state.end?.message).toBe('completed')
  return { bodies, state }
}

const look = (n: number) => ({ name: 'look', arguments: { n } })
const threeRounds: ScriptedTurn[] = [
  { reasoning: 'Two at once.', text: 'I look.', calls: [look(1), { name: 'list' }] },
  { calls: [look(2)] },
  { text: 'Once more — schön.', calls: [look(3)] },
  { text: 'Done.' },
]

describe.each([...wires, ...fartherWires])('%s', (wire) => {
  it('R15d: sends what it sent before again, byte for byte, and only adds to it', async () => {
    const { bodies } = await run(wire, { turns: threeRounds })
    expect(bodies).toHaveLength(4)
    expectStablePrefix(bodies)
  })

  it('R15d: two runs of a configuration begin alike, up to the first message of the user', async () => {
    const [first, second] = [
      await run(wire, { turns: [{ text: 'Hello.' }] }, { tag: 'a' }),
      await run(wire, { turns: [{ text: 'Hello.' }] }, { tag: 'b' }),
    ].map(({ bodies }) => requestParts(bodies[0] ?? ''))
    expect(second?.others).toEqual(first?.others)
    const [mine, other] = [first, second].map((parts) => spokenItems(parts?.history ?? ''))
    expect(mine?.system).toEqual(other?.system)
    expect(mine?.spoken).toHaveLength(1)
    expect(mine?.spoken).not.toEqual(other?.spoken)
  })
})

it('has every API type that reaches a provider in this table', () => {
  const tested = [...wires, ...fartherWires, 'demo']
  expect(tested.sort()).toEqual([...ModelTarget.shape.wire.options].sort())
})

describe('anthropic', () => {
  const systemPrompt = 'Work through the log, name what is wrong and say why. '.repeat(240)
  const result = 'A line of the log that nobody has read so far, with some figures in it. '.repeat(
    40,
  )
  const tenRounds = Array.from({ length: 9 }, (_, n) => ({ text: 'Next.', calls: [look(n)] }))

  async function billed(promptCaching: boolean) {
    const cache = openPromptCache()
    const turns: ScriptedTurn[] = [...tenRounds, { text: 'Done.' }]
    const script: ModelServerOptions['script'] = (request) => ({
      ...turns.shift(),
      usage: { ...cache.count(request), outputTokens: 60 },
    })
    const asking = { systemPrompt, result, promptCaching, maxRounds: 12 }
    const { state } = await run('anthropic', { script }, asking)
    expect(state.rounds).toHaveLength(10)
    return state
  }

  it('costs a fraction with its cache, in a loop of ten rounds', async () => {
    const [plain, cached] = [await billed(false), await billed(true)]
    expect(plain.usage).toMatchObject({ cachedInputTokens: 0, cacheWriteTokens: 0 })
    // Ids of calls grow by a digit.
    expect(cached.usage.inputTokens / plain.usage.inputTokens).toBeCloseTo(1, 2)
    const counted = cached.rounds.map(({ response }) => response?.usage)
    for (const [index, usage] of counted.entries()) {
      expect(usage?.cachedInputTokens).toBe(counted[index - 1]?.inputTokens ?? 0)
    }
    const ratio = (plain.costMicroUsd ?? 0) / (cached.costMicroUsd ?? 1)
    expect(ratio).toBeGreaterThan(3)
  })

  it('finds what it wrote also where a round has more blocks than a mark looks back over', async () => {
    const cache = openPromptCache()
    const calls = Array.from({ length: 14 }, (_, n) => look(n))
    const turns: ScriptedTurn[] = [{ calls }, { calls: calls.map((_, n) => look(n + 50)) }]
    const script: ModelServerOptions['script'] = (request) => ({
      ...(turns.shift() ?? { text: 'Done.' }),
      usage: { ...cache.count(request), outputTokens: 60 },
    })
    const { state } = await run('anthropic', { script }, { systemPrompt, result })
    const [, second, third] = state.rounds.map(({ response }) => response?.usage)
    expect(third?.cachedInputTokens).toBe(second?.inputTokens)
  })
})
