import { pooledFetch } from './pooled-fetch'
import type { ProviderOptions } from './provider'

type Fetch = ReturnType<typeof pooledFetch>

/**
 * `pooledFetch` with the headers of one wire and no others: `own` beside what any request needs, and the connection's
 * own, which win. What a client of the provider put together is left behind, because it takes headers from environment
 * variables (`OPENAI_CUSTOM_HEADERS`, `ANTHROPIC_CUSTOM_HEADERS`), in place of the connection's key too, and tells
 * about this machine.
 */
export function wireFetch(options: ProviderOptions, own: Record<string, string>): Fetch {
  const send = pooledFetch(options)
  const common = { 'user-agent': 'Toolgate', ...authorisation(options) }
  // Frozen: `pooledFetch` keeps what it made of them.
  const reading = Object.freeze({ ...common, accept: 'application/json', ...own })
  const writing = Object.freeze({
    ...common,
    accept: 'text/event-stream',
    'content-type': 'application/json',
    ...own,
  })
  return (input, init = {}) =>
    send(input, { ...init, headers: hasBody(init.body) ? writing : reading })
}

/** Without a key no authorisation is sent. */
function authorisation({ apiKey }: ProviderOptions): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}

function hasBody(body: unknown): boolean {
  return body !== undefined && body !== null
}
