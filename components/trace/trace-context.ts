'use client'

import { createContext, useContext } from 'react'

/** What every part of one trace needs to know and none of its events changes. */
export type TraceFacts = { runId: string; nonce: string; ended: boolean }

const TraceContext = createContext<TraceFacts | null>(null)

export const TraceFactsProvider = TraceContext.Provider

export function useTraceFacts(): TraceFacts {
  const facts = useContext(TraceContext)
  if (!facts) throw new Error('A part of the trace stands outside of it')
  return facts
}
