import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelEvent } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { type Replay, startReplayServer } from '@/tests/support/model-server/start-replay-server'
import { providerOptions } from './__fixtures__/provider-options'
import {
  expectResult,
  expectSameOrClean,
  inPieces,
  type Result,
  read,
} from './__fixtures__/read-recording'
import { bytesOf, recordings, type Wire } from './__fixtures__/recordings'
import { openProvider } from './open-provider'

type Playing = Omit<Replay, 'contentType'>

const replays = new Map<string, Replay>()
let server: Awaited<ReturnType<typeof startReplayServer>>
beforeAll(async () => {
  server = await startReplayServer((path) => replays.get(path.split('/')[1] ?? '') ?? nothing)
})
afterAll(() => server.close())

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Signs in at the same server, which gives everybody a token. */
function serviceAccount() {
  const pieces = [Buffer.from('{"access_token":"token-0123456789","expires_in":3600}')]
  replays.set('token', { contentType: 'application/json', pieces, ending: 'end' })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const file = { type: 'service_account', private_key, client_email: 'a@b.example' }
  const place = { project: 'acme', location: 'global', authority: server.url }
  return {
    apiKey: JSON.stringify(file),
    settings: { authentication: 'service-account', ...place },
  }
}

const nothing: Replay = { contentType: '', pieces: [], ending: 'end' }

/** Returns the events that a provider makes of an answer over a real connection. */
async function play(wire: Wire, playing: Playing): Promise<Result> {
  const place = `play-${replays.size}`
  const contentType = framesLines(wire) ? 'application/x-ndjson' : 'text/event-stream'
  replays.set(place, { ...playing, contentType })
  const baseUrl = `${server.url}/${place}`
  const provider =
    wire === 'vertex'
      ? openProvider('gemini', providerOptions({ baseUrl, ...serviceAccount() }))
      : openProvider(wire, providerOptions({ baseUrl, apiKey: 'key-0123456789' }))
  const parameters = defaultModelParameters
  const request = { modelId: 'm', system: '', messages: [], tools: [], parameters }
  const events: ModelEvent[] = []
  for await (const event of provider.stream(request, new AbortController().signal)) {
    events.push(event)
  }
  return resultOf(events)
}

/** Returns the text that was shown and the last event, of which there must be exactly one. */
function resultOf(events: ModelEvent[]): Result {
  const last = events.at(-1)
  const ends = events.filter((event) => event.type === 'finish' || event.type === 'error')
  expect(ends).toEqual([last])
  const shown = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
  if (last?.type === 'error') {
    const { category, advice } = last.failure
    return { finish: null, failure: category, shown, advice }
  }
  return { finish: last?.type === 'finish' ? last : null, failure: null, shown }
}

function framesLines(wire: Wire): boolean {
  return wire === 'ollama'
}

/** Returns the events of a recording, each with its ending. */
function eventsIn(wire: Wire, bytes: Buffer): string[] {
  return bytes.toString('utf8').split(framesLines(wire) ? /(?<=\n)/ : /(?<=\n\n)/)
}

const whole = (text: string): Playing => ({ pieces: [Buffer.from(text)], ending: 'end' })

/** Ways to deliver a recording that must all give the same answer. */
const modes: [name: string, playing: (wire: Wire, bytes: Buffer) => Playing][] = [
  ['whole', (_, bytes) => ({ pieces: [bytes], ending: 'end' })],
  ['byte by byte', (_, bytes) => ({ pieces: inPieces(bytes, 1), ending: 'end' })],
  ['in pieces of 7 bytes', (_, bytes) => ({ pieces: inPieces(bytes, 7), ending: 'end' })],
  ['with CRLF', (_, bytes) => whole(bytes.toString('utf8').replaceAll('\n', '\r\n'))],
  [
    'with comments',
    (wire, bytes) => {
      const comment = framesLines(wire) ? '\n' : ': keep-alive\n\n'
      return whole(comment + eventsIn(wire, bytes).join(comment) + comment)
    },
  ],
  [
    'without a space after data:',
    (_, bytes) => whole(bytes.toString('utf8').replaceAll(/^data: /gm, 'data:')),
  ],
  [
    'slowly, event by event',
    (wire, bytes) => ({
      pieces: eventsIn(wire, bytes).map((event) => Buffer.from(event)),
      ending: 'end',
      slow: true,
    }),
  ],
  ['finished, but never closed', (_, bytes) => ({ pieces: [bytes], ending: 'stay-open' })],
]

const garbage = [
  'garbage\n',
  ': comment\n',
  'data: {"half\n\n',
  'data: <html>\n\n',
  'id: 5\n',
  '\u0000\ufffd\n',
  'data: [1]\n\n',
  '{"half\n',
  'null\n',
]

describe.concurrent.each(recordings)('%s: %s', (wire, file, expected) => {
  const bytes = bytesOf(file)
  const plain = read(wire, [bytes])
  const events = eventsIn(wire, bytes)

  it.each(modes)('is read right when it comes %s', async (_name, playing) => {
    expectResult(await play(wire, playing(wire, bytes)), expected)
  })

  it('ends clean without its end marker', async () => {
    const result = await play(wire, whole(events.slice(0, -1).join('')))
    expectSameOrClean(result, plain)
  })

  it('ends clean when it is cut after any event', async () => {
    for (let at = 0; at < events.length; at++) {
      const cut = Buffer.from(events.slice(0, at).join(''))
      for (const ending of ['end', 'destroy'] as const) {
        expectSameOrClean(await play(wire, { pieces: [cut], ending }), plain)
      }
    }
  })

  // recordings.test.ts does the same with the readers alone, at every place.
  it('ends clean when it is cut at any of 6 places', async () => {
    for (let cut = 1; cut <= 6; cut++) {
      const pieces = [bytes.subarray(0, Math.floor((bytes.length * cut) / 7))]
      const ending = cut % 2 === 0 ? 'destroy' : 'end'
      expectSameOrClean(await play(wire, { pieces, ending }), plain)
    }
  })

  it.each(garbage)('is the same or an error with %j amid its events', async (noise) => {
    const noisy = events.toSpliced(Math.floor(events.length / 2), 0, noise).join('')
    expectSameOrClean(await play(wire, whole(noisy)), plain)
  })
})
