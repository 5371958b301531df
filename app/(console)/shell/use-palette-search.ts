'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { pause } from '@/components/shell/queries'
import type { PaletteAnswer } from '@/lib/doors/palette/search-console'

export type PaletteSearch = {
  /** The newest answer, possibly to an earlier query; null = none yet. */
  answer: PaletteAnswer | null
  state: 'searching' | 'done' | { failed: string }
  /** Asks again, after a failure. */
  retry: () => void
}

const pauseMs = 150

/** Asks the server after a pause in typing, once for each query; a question that is out of date is cancelled. */
export function usePaletteSearch(query: string): PaletteSearch {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['palette', query],
    queryFn: async ({ signal }) => {
      if (query !== '') await pause(pauseMs, signal)
      return ask(query, signal)
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  return {
    answer: data ?? null,
    state: isFetching ? 'searching' : error ? { failed: error.message } : 'done',
    retry: () => void refetch(),
  }
}

/** Throws with the reason when there is no answer. */
async function ask(query: string, signal: AbortSignal): Promise<PaletteAnswer> {
  const address = `/api/palette?${new URLSearchParams({ q: query })}`
  const response = await fetch(address, { cache: 'no-store', signal }).catch(() => null)
  const body = await response?.json().catch(() => null)
  if (response?.ok && body) return body
  throw new Error(typeof body?.detail === 'string' ? body.detail : unreachable)
}

const unreachable = 'The server did not answer. Check your connection.'
