'use client'

import { createContext, useContext } from 'react'
import type { Fence } from '@/lib/protocol/model/model-text'
import type { Fork } from '@/lib/protocol/run/fork'

/** Data for all parts of a trace. It changes at most once a round. */
export type TraceFacts = {
  runId: string
  /** The start of the run; null until its first event has arrived. */
  configurationId: string | null
  taskId: string | null
  userId: string | null
  fence: Fence
  ended: boolean
  lastRound: number
  /** Sources of the results of tools, when the run goes on from another one after `copiedThrough`; null: it does not. */
  fork: { sources: Fork['sources']; copiedThrough: number } | null
  /** Another run may go on from its rounds. */
  mayFork: boolean
}

const TraceContext = createContext<TraceFacts | null>(null)

export const TraceFactsProvider = TraceContext.Provider

export function useTraceFacts(): TraceFacts {
  const facts = useContext(TraceContext)
  if (!facts) throw new Error('A part of the trace is rendered outside of TraceContext')
  return facts
}
