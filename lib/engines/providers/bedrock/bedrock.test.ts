import { Readable } from 'node:stream'
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bedrockRecordings } from '@/lib/engines/providers/__fixtures__/bedrock-recordings'
import { providerOptions } from '@/lib/engines/providers/__fixtures__/provider-options'
import {
  expectResult,
  expectSameOrClean,
  inPieces,
  type Result,
} from '@/lib/engines/providers/__fixtures__/read-recording'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { finishTurn, newTurn, takeDeltas } from '@/lib/engines/providers/turn/turn'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { converseEvent } from '@/tests/support/model-server/event-stream-frame'
import { type Replay, startReplayServer } from '@/tests/support/model-server/start-replay-server'
import { bedrockProvider } from './bedrock'
import { readBedrock } from './bedrock-reader'

type Playing = Omit<Replay, 'contentType'>

const replays = new Map<string, Replay>()
let server: Awaited<ReturnType<typeof startReplayServer>>
beforeAll(async () => {
  server = await startReplayServer((path) => replays.get(path.split('/')[1] ?? '') ?? nothing)
})
afterAll(() => server.close())

const nothing: Replay = { contentType: '', pieces: [], ending: 'end' }

const request: ModelRequest = {
  modelId: 'amazon.nova-test-v1:0',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

/** Returns the events of an answer that arrives over a real connection. */
async function play(playing: Playing): Promise<Result> {
  const place = `play-${replays.size}`
  replays.set(place, { ...playing, contentType: 'application/vnd.amazon.eventstream' })
  const provider = bedrockProvider(
    providerOptions({
      baseUrl: `${server.url}/${place}`,
      apiKey: 'key-0123456789',
      settings: { region: 'eu-west-1', authentication: 'bearer' },
    }),
  )
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) {
    events.push(event)
  }
  const last = events.at(-1)
  const ends = events.filter((event) => event.type === 'finish' || event.type === 'error')
  expect(ends).toEqual([last])
  const shown = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  if (last?.type === 'error') return { finish: null, failure: last.failure.category, shown }
  return { finish: last?.type === 'finish' ? last : null, failure: null, shown }
}

/** Returns the events of the reader alone, without the network. */
function read(bytes: Buffer): Result {
  const turn = newTurn()
  const reader = readBedrock(turn)
  let shown = ''
  try {
    reader.push(bytes)
    reader.end()
    for (const delta of takeDeltas(turn)) if (delta.type === 'text-delta') shown += delta.text
    return { finish: finishTurn(turn), failure: null, shown }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    return { finish: null, failure: error.category, shown }
  }
}

const noise: [string, Buffer][] = [
  ['zeros', Buffer.alloc(16)],
  ['text', Buffer.from('data: {"half\n\n')],
  ['an unknown event', converseEvent('somethingNew', { contentBlockIndex: 0 })],
  ['an event that is no JSON', brokenEvent()],
]

function brokenEvent(): Buffer {
  const bytes = converseEvent('contentBlockDelta', {})
  return bytes.subarray(0, bytes.length - 3)
}

describe.concurrent.each(bedrockRecordings)('%s', (_name, frames, expected) => {
  const bytes = Buffer.concat(frames)
  const plain = read(bytes)

  it.each<[string, Playing]>([
    ['whole', { pieces: [bytes], ending: 'end' }],
    ['byte by byte', { pieces: inPieces(bytes, 1), ending: 'end' }],
    ['in pieces of 7 bytes', { pieces: inPieces(bytes, 7), ending: 'end' }],
    ['slowly, event by event', { pieces: frames, ending: 'end', slow: true }],
    ['event by event and broken off behind its end', { pieces: frames, ending: 'destroy' }],
  ])('is read right when it comes %s', async (_mode, playing) => {
    const result = await play(playing)
    if (playing.ending === 'end') expectResult(result, expected)
    else expectSameOrClean(result, plain)
  })

  it('is read to its end when it is finished, but never closed', async () => {
    if ('failure' in expected) return
    expectResult(await play({ pieces: [bytes], ending: 'stay-open' }), expected)
  })

  it('ends clean when it is cut after any event', async () => {
    for (let at = 0; at < frames.length; at++) {
      const cut = Buffer.concat(frames.slice(0, at))
      for (const ending of ['end', 'destroy'] as const) {
        expectSameOrClean(await play({ pieces: [cut], ending }), plain)
      }
    }
  })

  it('ends clean when it is cut at any byte', async () => {
    for (const at of bytes.keys()) expectSameOrClean(read(bytes.subarray(0, at)), plain)
    for (let cut = 1; cut <= 6; cut++) {
      const pieces = [bytes.subarray(0, Math.floor((bytes.length * cut) / 7))]
      const ending = cut % 2 === 0 ? 'destroy' : 'end'
      expectSameOrClean(await play({ pieces, ending }), plain)
    }
  })

  it.each(noise)('is the same or an error with %s between any two events', async (_kind, piece) => {
    const noisy = (at: number) => Buffer.concat(frames.toSpliced(at, 0, piece))
    for (let at = 0; at <= frames.length; at++) expectSameOrClean(read(noisy(at)), plain)
    const amid = noisy(Math.floor(frames.length / 2))
    expectSameOrClean(await play({ pieces: [amid], ending: 'end' }), plain)
  })

  it('is what the official client reads', async () => {
    const client = new BedrockRuntimeClient({
      region: 'eu-west-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'none' },
      requestHandler: {
        handle: async () => ({
          response: { statusCode: 200, headers: {}, body: Readable.from([bytes]) },
        }),
      },
    })
    const command = new ConverseStreamCommand({ modelId: 'm', messages: [] })
    let text = ''
    const calls: string[] = []
    let failed = false
    try {
      for await (const event of (await client.send(command)).stream ?? []) {
        text += event.contentBlockDelta?.delta?.text ?? ''
        const name = event.contentBlockStart?.start?.toolUse?.name
        if (name !== undefined) calls.push(name)
      }
    } catch {
      failed = true
    }
    if (plain.finish) expect(text).toBe(plain.finish.text)
    if (plain.finish?.finishReason === 'tool-calls') {
      expect(calls).toEqual(plain.finish.toolCalls.map(({ name }) => name))
    }
    if (failed) expect(plain.finish).toBeNull()
  })
})

it('does not take an answer of another API type for one of this', async () => {
  for (const text of ['{"message": "Hello"}', 'data: {"type":"message_start"}\n\n', '<html>']) {
    const pieces = [Buffer.from(text.padEnd(64))]
    expect(await play({ pieces, ending: 'end' })).toMatchObject({ failure: 'invalid-response' })
  }
})

const begun = (index: number, start: object) =>
  converseEvent('contentBlockStart', { contentBlockIndex: index, start })
const piece = (index: number, delta: object) =>
  converseEvent('contentBlockDelta', { contentBlockIndex: index, delta })
const counts = converseEvent('metadata', {
  usage: { inputTokens: 90, outputTokens: 40, totalTokens: 130 },
})

it('reads text whose block begins without saying what it is', () => {
  const answer = Buffer.concat([
    begun(0, {}),
    piece(0, { text: 'All is well.' }),
    converseEvent('contentBlockStop', { contentBlockIndex: 0 }),
    converseEvent('messageStop', { stopReason: 'end_turn' }),
    counts,
  ])
  expect(read(answer)).toMatchObject({ failure: null, shown: 'All is well.' })
})

it.each([
  ['malformed_tool_use', converseEvent('messageStop', { stopReason: 'malformed_tool_use' })],
  [
    'malformed_model_output',
    converseEvent('messageStop', { stopReason: 'malformed_model_output' }),
  ],
  ['of_tomorrow', converseEvent('messageStop', { stopReason: 'of_tomorrow' })],
  ['pieces out of order', piece(0, { toolUse: { input: '{}' } })],
])('an answer that ends with %s is counted by its own figures', async (name, fault) => {
  const place = `counted-${name.replaceAll(' ', '-')}`
  const pieces = [piece(0, { text: 'Half' }), fault, counts]
  replays.set(place, {
    pieces: [Buffer.concat(pieces)],
    ending: 'end',
    contentType: 'application/vnd.amazon.eventstream',
  })
  const provider = bedrockProvider(
    providerOptions({
      baseUrl: `${server.url}/${place}`,
      apiKey: 'key-0123456789',
      settings: { region: 'eu-west-1', authentication: 'bearer' },
    }),
  )
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) {
    events.push(event)
  }
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    failure: { category: 'invalid-response' },
    usage: { inputTokens: 90, outputTokens: 40, estimated: false },
  })
})
