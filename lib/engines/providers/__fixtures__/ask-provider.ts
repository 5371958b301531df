import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { ProviderFailure } from '@/lib/protocol/model/failure'
import type { ModelEvent, ModelRequest } from '@/lib/protocol/model/message'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { openProvider } from '../open-provider'
import type { ProviderTimeouts } from '../provider'

export const wires = ['openai', 'openai-compatible', 'anthropic', 'ollama'] as const
export type Wire = (typeof wires)[number]

export const key = 'sk-secret-key-0123456789'

const request: ModelRequest = {
  modelId: 'm',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

const closers: (() => Promise<void>)[] = []

/** Closes a server after the test. */
export function closeLater(close: () => Promise<void>): void {
  closers.push(close)
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

export async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export type Asked = { events: ModelEvent[]; failure: ProviderFailure | null; log: unknown[] }

export async function ask(
  wire: Wire | 'gemini',
  baseUrl: string,
  change: {
    signal?: AbortSignal
    timeouts?: Partial<ProviderTimeouts>
    onEvent?: (event: ModelEvent) => void
    apiKey?: string | null
    request?: Partial<ModelRequest>
  } = {},
): Promise<Asked> {
  const log: unknown[] = []
  let made = 0
  const provider = openProvider(wire, {
    baseUrl,
    apiKey: change.apiKey === undefined ? key : change.apiKey,
    settings: {},
    organisation: null,
    headers: {},
    privateAddressAllowed: true,
    publicAddressRefused: false,
    onIncident: (incidentId, detail) => log.push({ incidentId, detail }),
    newId: () => `incident-${++made}`,
    ...(change.timeouts ? { timeouts: change.timeouts } : {}),
  })
  const events: ModelEvent[] = []
  for await (const event of provider.stream(
    { ...request, ...change.request },
    change.signal ?? new AbortController().signal,
  )) {
    events.push(event)
    change.onEvent?.(event)
  }
  const last = events.at(-1)
  expect(events.filter((event) => event.type === 'finish' || event.type === 'error')).toEqual([
    last,
  ])
  const failure = last?.type === 'error' ? last.failure : null
  if (failure) ProviderFailure.parse(failure)
  return { events, failure, log }
}

export const answered =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (message, response) => {
    message.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
