import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { pooledFetch } from './pooled-fetch'

type Fetch = ReturnType<typeof pooledFetch>

/**
 * Returns `pooledFetch` with the headers of one API and no others: `own`, those that any request needs, and the
 * connection's own, which win. The headers of a provider's client are dropped, because they come from environment
 * variables (`OPENAI_CUSTOM_HEADERS`, `ANTHROPIC_CUSTOM_HEADERS`), may replace the connection's key, and describe this
 * machine.
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

/** Returns the authorisation header; none without a key. */
function authorisation({ apiKey }: ProviderOptions): Record<string, string> {
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }
}

function hasBody(body: unknown): boolean {
  return body !== undefined && body !== null
}
