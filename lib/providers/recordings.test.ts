import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelEvent, ModelFinish } from '@/lib/protocol/model-event'
import { type Replay, startReplayServer } from '@/tests/support/model-server/start-replay-server'
import { readAnthropic } from './anthropic-reader'
import { readChatCompletions } from './chat-completions-reader'
import { readOllama } from './ollama-reader'
import { openProvider } from './open-provider'
import { WireFailure } from './provider-error'
import { finishTurn, newTurn, takeDeltas } from './turn'

type Wire = 'openai' | 'openai-compatible' | 'anthropic' | 'ollama'
type Expected = Partial<ModelFinish> | { failure: string }

const called = (...calls: [id: string | null, name: string, args: object][]) =>
  calls.map(([id, name, args]) => ({ id, name, argumentsText: JSON.stringify(args) }))

const usage = (input: number, output: number, cached = 0, written = 0, reasoning = 0) => ({
  inputTokens: input,
  outputTokens: output,
  cachedInputTokens: cached,
  cacheWriteTokens: written,
  reasoningTokens: reasoning,
  estimated: false,
})

const recordings: [wire: Wire, file: string, expected: Expected][] = [
  [
    'openai',
    'openai-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind\n\ndata: da.', usage: usage(1874, 12, 1536) },
  ],
  [
    'openai',
    'openai-parallel-calls.sse',
    {
      finishReason: 'tool-calls',
      text: '',
      toolCalls: called(
        ['call_h2Xw8', 'fetch_logs', { level: 'error', limit: 5 }],
        ['call_Zt91b', 'list_users', {}],
        ['call_q0Lm3', 'list_groups', {}],
      ),
      usage: usage(1874, 96, 1536, 0, 64),
    },
  ],
  ['openai', 'openai-length.sse', { finishReason: 'length', text: 'I will look', toolCalls: [] }],
  ['openai', 'openai-error-event.sse', { failure: 'server' }],
  [
    'openai-compatible',
    'openai-compatible-vllm-reasoning.sse',
    {
      finishReason: 'tool-calls',
      toolCalls: [{ id: 'chatcmpl-tool-9f', name: 'fetch_logs', argumentsText: '{"limit": 2}' }],
      reasoning: [
        { text: 'The user wants logs.', signature: 'field:reasoning_content', redacted: false },
      ],
      usage: usage(210, 40),
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-whole-calls.sse',
    {
      finishReason: 'tool-calls',
      toolCalls: called(
        ['function-call-1', 'fetch_logs', { limit: 5 }],
        [null, 'list_users', {}],
        [null, 'list_groups', { deep: { a: [1, 2] } }],
      ),
      usage: usage(95, 85),
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-index-always-0.sse',
    {
      toolCalls: called(['a1', 'fetch_logs', { limit: 1 }], ['a2', 'fetch_logs', { limit: 2 }]),
      usage: null,
    },
  ],
  [
    'openai-compatible',
    'openai-compatible-openrouter.sse',
    { finishReason: 'stop', text: 'Ja', usage: usage(10, 5, 4, 3, 2) },
  ],
  [
    'openai-compatible',
    'openai-compatible-no-marker.sse',
    { finishReason: 'stop', text: 'Fine.', usage: null },
  ],
  [
    'openai-compatible',
    'openai-compatible-mistral-parts.sse',
    {
      text: 'Oui.',
      reasoning: [{ text: 'Hmm.', signature: null, redacted: false }],
      usage: usage(7, 5),
    },
  ],
  [
    'anthropic',
    'anthropic-text.sse',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind da.', usage: usage(21, 14) },
  ],
  [
    'anthropic',
    'anthropic-thinking-calls.sse',
    {
      finishReason: 'tool-calls',
      text: "I'll look.",
      reasoning: [
        {
          text: 'I need the logs and users.',
          signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=',
          redacted: false,
        },
        {
          text: '',
          signature: 'EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP',
          redacted: true,
        },
      ],
      toolCalls: [
        { id: 'toolu_01T1x', name: 'fetch_logs', argumentsText: '{"level": "error", "limit": 5}' },
        { id: 'toolu_01T2y', name: 'list_users', argumentsText: '{}' },
      ],
      usage: usage(2009, 89, 1800, 188, 40),
    },
  ],
  ['anthropic', 'anthropic-length.sse', { finishReason: 'length', text: 'Half', toolCalls: [] }],
  ['anthropic', 'anthropic-error-event.sse', { failure: 'overloaded' }],
  ['anthropic', 'anthropic-refusal.sse', { finishReason: 'content-filter', text: 'I' }],
  [
    'ollama',
    'ollama-text.ndjson',
    { finishReason: 'stop', text: 'Die Grüße 🙂 sind da.', usage: usage(26, 282) },
  ],
  [
    'ollama',
    'ollama-thinking-calls.ndjson',
    {
      finishReason: 'tool-calls',
      reasoning: [{ text: 'Logs first.', signature: null, redacted: false }],
      toolCalls: called(
        [null, 'fetch_logs', { level: 'error', limit: 5 }],
        [null, 'list_users', {}],
      ),
      usage: usage(26, 282),
    },
  ],
  ['ollama', 'ollama-length.ndjson', { finishReason: 'length', text: 'Half' }],
  ['ollama', 'ollama-error-event.ndjson', { failure: 'server' }],
  ['ollama', 'ollama-cached-prompt.ndjson', { finishReason: 'stop', text: 'Ok', usage: null }],
]

const bytesOf = (file: string) => readFileSync(new URL(`./__fixtures__/${file}`, import.meta.url))

const readers = {
  openai: readChatCompletions,
  'openai-compatible': readChatCompletions,
  anthropic: readAnthropic,
  ollama: readOllama,
}

type Result = { finish: ModelFinish | null; failure: string | null; shown: string }

/** The adapter's own reading, without the network in between. */
function read(wire: Wire, pieces: readonly Uint8Array[]): Result {
  const turn = newTurn()
  const reader = readers[wire](turn)
  let shown = ''
  const show = () => {
    for (const delta of takeDeltas(turn)) if (delta.type === 'text-delta') shown += delta.text
  }
  try {
    for (const piece of pieces) {
      reader.push(piece)
      show()
    }
    reader.end()
    show()
    return { finish: finishTurn(turn), failure: null, shown }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error
    show()
    return { finish: null, failure: error.category, shown }
  }
}

function inPieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

function expectResult(result: Result, expected: Expected): void {
  if ('failure' in expected) {
    expect(result).toMatchObject({ finish: null, failure: expected.failure })
    return
  }
  expect(result.failure).toBeNull()
  expect(result.finish).toMatchObject(expected)
  expect(result.shown).toBe(result.finish?.text)
}

/** Cut or damaged, an answer is the whole one, a marked part of it, or an error; its calls are whole or absent. */
function expectSameOrClean(result: Result, whole: Result): void {
  if (!result.finish) {
    expect(['invalid-response', 'connection', whole.failure]).toContain(result.failure)
    return
  }
  if (result.finish.toolCalls.length > 0)
    expect(result.finish.toolCalls).toEqual(whole.finish?.toolCalls)
  if (result.finish.finishReason === 'cut') expect(result.finish.toolCalls).toEqual([])
  else expect({ ...result.finish, usage: null }).toEqual({ ...whole.finish, usage: null })
}

describe.each(recordings)('%s: %s', (wire, file, expected) => {
  const bytes = bytesOf(file)
  const whole = read(wire, [bytes])

  it('reads the recording', () => expectResult(whole, expected))

  it('reads the same in pieces of 1 and 7 bytes', () => {
    expect(read(wire, inPieces(bytes, 1))).toEqual(whole)
    expect(read(wire, inPieces(bytes, 7))).toEqual(whole)
  })

  it('reads the same with CRLF line ends, whole and in pieces', () => {
    const crlf = Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'))
    for (const size of [crlf.length, 1, 7]) expect(read(wire, inPieces(crlf, size))).toEqual(whole)
  })

  it('gives a part or an error, never half a call, when it is cut at any byte', () => {
    for (let at = 0; at < bytes.length; at++) {
      expectSameOrClean(read(wire, [bytes.subarray(0, at)]), whole)
    }
  })

  it('gives the same or an error with garbage between any two lines', () => {
    const lines = bytes.toString('utf8').split(/(?<=\n)/)
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
    for (const noise of garbage) {
      for (let at = 0; at <= lines.length; at++) {
        const noisy = [...lines.slice(0, at), noise, ...lines.slice(at)].join('')
        expectSameOrClean(read(wire, [Buffer.from(noisy)]), whole)
      }
    }
  })

  it('reads the same however it is cut, and never throws when bytes are damaged', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length]
        const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
        expect(read(wire, pieces)).toEqual(whole)
      }),
    )
    const place = fc.integer({ min: 0, max: bytes.length - 1 })
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), (at, value) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = value
        read(wire, [damaged])
      }),
      { numRuns: 300 },
    )
  })
})

describe('a cut answer of anthropic', () => {
  it('keeps what the provider counted as read and estimates what it wrote', () => {
    const events = bytesOf('anthropic-thinking-calls.sse')
      .toString('utf8')
      .split(/(?<=\n\n)/)
    const { finish } = read('anthropic', [Buffer.from(events.slice(0, 11).join(''))])
    expect(finish).toMatchObject({ finishReason: 'cut', toolCalls: [] })
    expect(finish?.usage).toEqual({ ...usage(2009, 9, 1800, 188), estimated: true })
  })
})

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
      organisation: null,
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
