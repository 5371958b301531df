import { text } from 'node:stream/consumers'
import { askedAddress, type SearchKind } from '@/lib/domains/search-endpoints/shared/search-kind'
import type { SearchEndpoint } from '@/lib/engines/tools/tool-resources'
import { newId } from '@/lib/kernel/new-id'
import { type Served, startWebServer } from './web-server'

export const searchKey = 'hidden-key-of-the-search-service'

type Item = { title: string; url: string; content: string }
const wrongKey = { error: 'The key is wrong.' }

/** Starts a local server that speaks the API of each kind of search endpoint, and fails in the way that a path names. */
export async function startSearchServer(items: readonly Item[], more: Record<string, Served> = {}) {
  const bodies: string[] = []
  const json = (value: unknown, status = 200): Served => {
    const headers = { 'content-type': 'application/json' }
    return (_request, response) => response.writeHead(status, headers).end(JSON.stringify(value))
  }
  const search: Served = (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host')
    const isJson = searchParams.get('format') === 'json'
    json(isJson ? { query: searchParams.get('q'), results: items } : {}, isJson ? 200 : 403)(
      request,
      response,
    )
  }
  const brave: Served = (request, response) => {
    const isKnown = request.headers['x-subscription-token'] === searchKey
    const results = items.map(({ content, ...item }) => ({ ...item, description: content }))
    json(isKnown ? { type: 'search', web: { results } } : wrongKey, isKnown ? 200 : 422)(
      request,
      response,
    )
  }
  const tavily: Served = async (request, response) => {
    bodies.push(await text(request))
    const isKnown = request.headers.authorization === `Bearer ${searchKey}`
    json(isKnown ? { results: items } : wrongKey, isKnown ? 200 : 401)(request, response)
  }
  const pages = { '/search': search, '/res/v1/web/search': brave, '/tavily/search': tavily }
  return { ...(await startWebServer({ ...pages, ...more })), bodies }
}

/** Returns a search endpoint in memory. `address` as an admin enters it. */
export function searchEndpointAt(
  kind: SearchKind,
  address: string,
  { name = kind, key = searchKey }: { name?: string; key?: string | null } = {},
): SearchEndpoint {
  return {
    id: newId(),
    name,
    kind,
    address: askedAddress({ kind, address }),
    privateAddressAllowed: true,
    openKey: async () => key,
  }
}
