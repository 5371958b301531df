import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicRefusal } from '../strict-providers/anthropic-rules'
import { anthropicFrames } from './anthropic-frames'
import { bedrockFrames } from './bedrock-frames'
import { geminiFrames } from './gemini-frames'
import { ollamaFrames } from './ollama-frames'
import { openaiFrames } from './openai-frames'
import { readBody, readRequest, wireOf } from './read-request'
import { responsesFrames } from './responses-frames'
import { refuseResponses } from './responses-rules'
import { answerOf, type ScriptedTurn, type ServedRequest, type ServedWire } from './scripted-turn'
import { bedrockLists, refusesBedrock } from './serve-bedrock'
import { geminiList, geminiProblem, geminiWrongKey, vertexList } from './serve-gemini'

export type ModelServerOptions = {
  /** Answered in this order, whatever asks. */
  turns?: ScriptedTurn[]
  /** Asked when no turn is queued; undefined = unexpected. */
  script?: (request: ServedRequest) => ScriptedTurn | undefined | Promise<ScriptedTurn>
  port?: number
  /** When given, any other key gets 401. */
  apiKey?: string
  /** Bodies to keep; a benchmark keeps none. */
  record?: boolean
}

export type ModelServer = {
  url: string
  port: number
  /** Every model request so far, in the order of arrival. */
  requests: ServedRequest[]
  queue: (...turns: ScriptedTurn[]) => void
  /** Throws when a request was unexpected or a queued turn was not used. */
  assertDone: () => void
  close: () => Promise<void>
}

type State = {
  options: ModelServerOptions
  turns: ScriptedTurn[]
  requests: ServedRequest[]
  gates: Map<string, Gate>
}

/**
 * Starts a real HTTP server on loopback that speaks the wires of Responses, Chat Completions, Anthropic, Ollama,
 * Bedrock and Gemini with real streaming, and refuses what the Responses, Converse and Gemini APIs refuse. A request
 * beyond the script gets 500 and is recorded as `unexpected`; one that breaks a rule of Anthropic gets 400.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: State = {
    options,
    turns: [...(options.turns ?? [])],
    requests: [],
    gates: new Map(),
  }
  const server = createServer((message, response) => {
    serve(state, message, response).catch(() => response.destroy())
  })
  // A client that paused for a few seconds must not find its connection closed under its next request.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    queue: (...turns) => void state.turns.push(...turns),
    assertDone: () => assertDone(state),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function assertDone({ turns, requests }: State): void {
  const unexpected = requests.filter((request) => request.unexpected)
  if (unexpected.length > 0) {
    throw new Error(
      `${unexpected.length} model requests had no script step: ${unexpected.map((r) => r.prompt.slice(0, 80)).join(' | ')}`,
    )
  }
  if (turns.length > 0) throw new Error(`${turns.length} scripted turns were never asked for.`)
}

async function serve(state: State, message: IncomingMessage, response: ServerResponse) {
  const path = (message.url ?? '').split('?')[0] ?? ''
  const wire = wireOf(path)
  if (wire && message.method === 'POST') return serveModel(state, wire, path, message, response)
  if (path === '/v1/models') return sendJson(response, 200, modelList)
  if (path === '/v1beta/models') return sendGeminiList(state, message, response)
  if (path === '/v1beta1/publishers/google/models') return sendVertexList(state, message, response)
  if (path === '/api/tags')
    return sendJson(response, 200, { models: [{ name: 'test-model', model: 'test-model' }] })
  const listed = bedrockLists[path]
  if (listed) return sendBedrockList(state, message, response, listed)
  if (path === '/api/version') return sendJson(response, 200, { version: '0.12.0' })
  if (path === '/__script') {
    const { turns }: { turns: ScriptedTurn[] } = JSON.parse(await readBody(message))
    state.turns.push(...turns)
    return sendJson(response, 200, { queued: state.turns.length })
  }
  if (path === '/__open') {
    const { name }: { name: string } = JSON.parse(await readBody(message))
    gateOf(state, name).open()
    return sendJson(response, 200, {})
  }
  if (path === '/__requests') return sendJson(response, 200, state.requests)
  if (path === '/__reset') {
    state.turns.length = 0
    state.requests.length = 0
    return sendJson(response, 200, {})
  }
  return sendJson(response, 404, {
    error: { message: `No ${message.method} ${path} here.`, type: 'not_found_error' },
  })
}

type Gate = { opened: Promise<void>; open: () => void }

/** Returns the gate of this name. One that was opened stays open. */
function gateOf({ gates }: State, name: string): Gate {
  const known = gates.get(name)
  if (known) return known
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const gate = { opened, open }
  gates.set(name, gate)
  return gate
}

const model = {
  id: 'test-model',
  object: 'model',
  type: 'model',
  display_name: 'Test model',
  created: 1_760_000_000,
  owned_by: 'toolgate',
}
const modelList = {
  object: 'list',
  data: [model],
  has_more: false,
  first_id: model.id,
  last_id: model.id,
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function serveModel(
  state: State,
  wire: ServedWire,
  path: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([k, v]) => [k, String(v)]),
  )
  const body = await readBody(message)
  const request = readRequest(wire, path, headers, body)
  if (state.options.record !== false) state.requests.push(request)
  response.on('close', () => {
    request.aborted = !response.writableFinished
  })
  if (wire === 'bedrock') {
    const input = { method: 'POST', path: message.url ?? '', headers, body }
    if (refusesBedrock(input, state.options.apiKey, response)) return
  } else if (state.options.apiKey !== undefined && !hasKey(headers, state.options.apiKey)) {
    return sendJson(response, 401, {
      error: { message: 'Incorrect API key provided.', type: 'authentication_error' },
    })
  }
  const refusal = wire === 'responses' ? refuseResponses(request.body) : null
  if (refusal) return sendJson(response, refusal.status, { error: refusal.error })
  const broken = wire === 'anthropic' ? anthropicRefusal(request.body, []) : null
  if (broken !== null) {
    const error = { type: 'invalid_request_error', message: broken }
    return sendJson(response, 400, { type: 'error', error })
  }
  const unsigned = wire === 'gemini' ? geminiProblem(request) : null
  if (unsigned !== null) {
    const error = { code: 400, message: unsigned, status: 'INVALID_ARGUMENT' }
    return sendJson(response, 400, { error })
  }
  const turn = state.turns.shift() ?? (await state.options.script?.(request))
  if (!turn) {
    request.unexpected = true
    return sendJson(response, 500, {
      error: { message: 'Unexpected request: no script step is left.' },
    })
  }
  const gate = turn.until === undefined ? null : gateOf(state, turn.until).opened
  await playTurn(await billed(turn, request), { request, gate }, response)
}

/** Returns the billed usage. Only tests that bill with them load the tokenizers. */
async function billed(turn: ScriptedTurn, { body }: ServedRequest): Promise<ScriptedTurn> {
  if (!turn.bill) return turn
  const { by, outputTokens } = turn.bill
  const { billedInput } = await import('../real-tokenizers')
  return { ...turn, usage: { inputTokens: billedInput(by, body), outputTokens } }
}

function sendBedrockList(
  { options }: State,
  message: IncomingMessage,
  response: ServerResponse,
  list: object,
): void {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([k, v]) => [k, String(v)]),
  )
  const input = { method: 'GET', path: message.url ?? '', headers, body: '' }
  if (!refusesBedrock(input, options.apiKey, response)) sendJson(response, 200, list)
}

function sendGeminiList(
  { options }: State,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const isKnown = options.apiKey === undefined || headers['x-goog-api-key'] === options.apiKey
  sendJson(response, isKnown ? 200 : 400, isKnown ? geminiList : geminiWrongKey)
}

/** Sends the list of Vertex AI, which accepts no API keys. */
function sendVertexList(
  { options }: State,
  { headers, url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const isKnown =
    options.apiKey === undefined || headers.authorization === `Bearer ${options.apiKey}`
  const { searchParams } = new URL(url, 'http://localhost')
  if (isKnown) sendJson(response, 200, vertexList(searchParams.get('pageToken')))
  else sendJson(response, 401, { error: { code: 401, status: 'UNAUTHENTICATED' } })
}

function hasKey(headers: Record<string, string>, key: string): boolean {
  const sent = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'].map(
    (name) => headers[name],
  )
  return sent.some((given) => given === key || given === `Bearer ${key}`)
}

const momentMark = '{{now}}'

/** Nanoseconds of the machine's monotonic clock, which every process on it reads alike. */
function moment(): string {
  return String(process.hrtime.bigint())
}

const contentTypes: Partial<Record<ServedWire, string>> = {
  ollama: 'application/x-ndjson',
  bedrock: 'application/vnd.amazon.eventstream',
}

type Asked = { request: ServedRequest; gate: Promise<void> | null }

async function playTurn(turn: ScriptedTurn, { request, gate }: Asked, response: ServerResponse) {
  if (turn.beforeMs) await sleep(turn.beforeMs)
  if (turn.body !== undefined || (turn.status ?? 200) !== 200) return sendPlain(turn, response)
  const contentType = contentTypes[request.wire] ?? 'text/event-stream; charset=utf-8'
  response.writeHead(200, {
    'content-type': contentType,
    'cache-control': 'no-store',
    ...turn.headers,
  })
  let sent: Promise<void> | null = null
  const frames = framesOf(turn, request)
  for (const [index, frame] of frames.entries()) {
    if (index === turn.hangAfter) return
    if (index === turn.cutAfter) {
      await sent
      return void response.destroy()
    }
    if (turn.chunkDelayMs && index > 0) await sleep(turn.chunkDelayMs)
    // Toolgate takes an answer as whole some frames before its last one.
    if (index === Math.floor(frames.length / 2)) await gate
    if (response.destroyed) return
    sent = new Promise((resolve) => {
      const bytes = typeof frame === 'string' ? frame.replace(momentMark, moment) : frame
      response.write(bytes, () => resolve())
    })
  }
  response.end()
}

function sendPlain(turn: ScriptedTurn, response: ServerResponse): void {
  const status = turn.status ?? 200
  const body = turn.body ?? { error: { message: `Scripted status ${status}.`, type: 'scripted' } }
  if (typeof body === 'object') {
    sendJson(response, status, body, turn.headers)
    return
  }
  response.writeHead(status, turn.headers)
  response.end(body)
}

function framesOf(turn: ScriptedTurn, request: ServedRequest): (string | Buffer)[] {
  const answer = answerOf(turn, request)
  if (request.wire === 'anthropic') return anthropicFrames(answer)
  if (request.wire === 'bedrock') return bedrockFrames(answer)
  if (request.wire === 'ollama') return ollamaFrames(answer)
  if (request.wire === 'gemini') return geminiFrames(answer)
  if (request.wire === 'responses') {
    const include = request.body.include as string[] | undefined
    return responsesFrames(answer, include?.includes('reasoning.encrypted_content') === true)
  }
  const options = request.body.stream_options as { include_usage?: boolean } | undefined
  return openaiFrames(answer, options?.include_usage === true)
}
