'use client'
import { useEffect, useState } from 'react'
import type { PaletteAnswer } from '@/lib/doors/palette/search-console'

export type PaletteSearch = {
  /** The newest answer, which may be that to an earlier query; null = none yet. */
  answer: PaletteAnswer | null
  state: 'searching' | 'done' | { failed: string }
  /** Asks again, after a failure. */
  retry: () => void
}

const pauseMs = 150

type Settled = { query: string; attempt: number; failed: string | null }

/** Asks the server after a pause in typing, once for each query; a question that is out of date is cancelled. */
export function usePaletteSearch(query: string): PaletteSearch {
  const [answer, setAnswer] = useState<PaletteAnswer | null>(null)
  const [settled, setSettled] = useState<Settled | null>(null)
  const [attempt, setAttempt] = useState(0)
  // Outside systems: the clock and the server.
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(
      async () => {
        const result = await ask(query, controller.signal)
        if (controller.signal.aborted) return
        if (typeof result !== 'string') setAnswer(result)
        setSettled({ query, attempt, failed: typeof result === 'string' ? result : null })
      },
      query === '' ? 0 : pauseMs,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [query, attempt])
  return { answer, state: stateOf(settled, query, attempt), retry: () => setAttempt(attempt + 1) }
}

function stateOf(settled: Settled | null, query: string, attempt: number): PaletteSearch['state'] {
  if (settled?.query !== query || settled.attempt !== attempt) return 'searching'
  return settled.failed === null ? 'done' : { failed: settled.failed }
}

/** The answer, or why there is none. */
async function ask(query: string, signal: AbortSignal): Promise<PaletteAnswer | string> {
  try {
    const address = `/api/palette?${new URLSearchParams({ q: query })}`
    const response = await fetch(address, { cache: 'no-store', signal })
    const body = await response.json()
    if (response.ok) return body
    return typeof body.detail === 'string' ? body.detail : unreachable
  } catch {
    return unreachable
  }
}

const unreachable = 'The server did not answer. Check your connection.'
