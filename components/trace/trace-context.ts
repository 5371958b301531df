'use client'

import { createContext, useContext } from 'react'
import type { Fence } from '@/lib/protocol/model-text'

/** What every part of one trace needs to know; changes with a round at most. */
export type TraceFacts = {
  runId: string
  /** What the run works with and for whom; null until its first event is there. */
  configurationId: string | null
  taskId: string | null
  userId: string | null
  fence: Fence
  ended: boolean
  lastRound: number
}

const TraceContext = createContext<TraceFacts | null>(null)

export const TraceFactsProvider = TraceContext.Provider

export function useTraceFacts(): TraceFacts {
  const facts = useContext(TraceContext)
  if (!facts) throw new Error('A part of the trace is rendered outside of TraceContext')
  return facts
}
