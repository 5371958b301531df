import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelEvent } from '@/lib/protocol/model-event'
import { type Replay, startReplayServer } from '@/tests/support/model-server/start-replay-server'
import {
  expectResult,
  expectSameOrClean,
  inPieces,
  type Result,
  read,
} from './__fixtures__/read-recording'
import { bytesOf, recordings, type Wire } from './__fixtures__/recordings'
import { openProvider } from './open-provider'

describe('over a real connection', () => {
  let replay: Replay = { contentType: '', pieces: [], ending: 'end' }
  let server: Awaited<ReturnType<typeof startReplayServer>>
  beforeAll(async () => {
    server = await startReplayServer(() => replay)
  })
  afterAll(() => server.close())

  async function play(wire: Wire, next: Omit<Replay, 'contentType'>): Promise<Result> {
    replay = {
      ...next,
      contentType: wire === 'ollama' ? 'application/x-ndjson' : 'text/event-stream',
    }
    const provider = openProvider(wire, {
      baseUrl: server.url,
      apiKey: 'key-0123456789',
      settings: {},
      organisation: null,
      headers: {},
      privateAddressAllowed: true,
      onIncident: () => {},
      newId: () => 'incident',
    })
    const parameters = {
      temperature: null,
      topP: null,
      maxOutputTokens: null,
      stop: [],
      seed: null,
      reasoningEffort: null,
    }
    const request = { modelId: 'm', system: '', messages: [], tools: [], parameters }
    const events: ModelEvent[] = []
    for await (const event of provider.stream(request, new AbortController().signal))
      events.push(event)
    return resultOf(events)
  }

  function resultOf(events: ModelEvent[]): Result {
    const last = events.at(-1)
    const ends = events.filter((event) => event.type === 'finish' || event.type === 'error')
    expect(ends).toEqual([last])
    const shown = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
    if (last?.type === 'error') return { finish: null, failure: last.failure.category, shown }
    return { finish: last?.type === 'finish' ? last : null, failure: null, shown }
  }

  it.each(recordings)(
    '%s: %s comes whole, in 7-byte pieces and with either ending',
    async (wire, file, expected) => {
      const bytes = bytesOf(file)
      expectResult(await play(wire, { pieces: [bytes], ending: 'end' }), expected)
      expectResult(await play(wire, { pieces: inPieces(bytes, 7), ending: 'end' }), expected)
    },
  )

  it.each(recordings)('%s: %s is cut after every event', async (wire, file) => {
    const events = bytesOf(file)
      .toString('utf8')
      .split(wire === 'ollama' ? /(?<=\n)/ : /(?<=\n\n)/)
    const whole = read(wire, [bytesOf(file)])
    for (let at = 0; at < events.length; at++) {
      const pieces = [Buffer.from(events.slice(0, at).join(''))]
      const ending = at % 2 === 0 ? 'end' : 'destroy'
      expectSameOrClean(await play(wire, { pieces, ending }), whole)
    }
  })

  it.each([
    'openai-parallel-calls.sse',
    'anthropic-thinking-calls.sse',
    'ollama-thinking-calls.ndjson',
  ])(
    '%s is cut at every seventh byte',
    async (file) => {
      const wire = recordings.find(([, name]) => name === file)?.[0] ?? 'openai'
      const bytes = bytesOf(file)
      const whole = read(wire, [bytes])
      for (let at = 0; at < bytes.length; at += 7) {
        const ending = at % 2 === 0 ? 'destroy' : 'end'
        expectSameOrClean(await play(wire, { pieces: [bytes.subarray(0, at)], ending }), whole)
      }
    },
    60_000,
  )
})
