import { z } from 'zod'

/** The API that a search endpoint speaks. */
export const SearchKind = z.enum(['searxng', 'brave', 'tavily'])
export type SearchKind = z.output<typeof SearchKind>

export const searchKindWords: Record<SearchKind, string> = {
  searxng: 'SearXNG',
  brave: 'Brave Search',
  tavily: 'Tavily',
}

/** The address at which each service is asked; null = everybody runs it at another one. */
export const usualAddress: Record<SearchKind, string | null> = {
  searxng: null,
  brave: 'https://api.search.brave.com/res/v1/web/search',
  tavily: 'https://api.tavily.com/search',
}

type Addressed = { kind: SearchKind; address: string | null }

/** Returns the address that is asked; null = there is none yet. Servers of SearXNG answer below the address that people know. */
export function askedAddress({ kind, address }: Addressed): string | null {
  if (address === null || kind !== 'searxng') return address ?? usualAddress[kind]
  const url = new URL(address)
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/search') ? path : `${path}/search`
  return url.href
}
