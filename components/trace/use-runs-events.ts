'use client'

import { useEffect, useReducer, useRef, useState } from 'react'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import type { ConnectionState } from './live-hub'
import { browserPort, connectRunEvents, type FollowPort } from './use-run-events'

/** States by the ids of their runs. What did not change stays the same object. */
export type RunStates = ReadonlyMap<string, RunState>

type News =
  | { type: 'joined'; runs: RunStates }
  | { type: 'told'; runId: string; updates: RunUpdate[] }

function foldNews(states: RunStates, news: News): RunStates {
  if (news.type === 'joined') return new Map([...news.runs, ...states])
  const { runId, updates } = news
  return new Map(states).set(runId, foldRun(updates, states.get(runId) ?? initialRunState))
}

/**
 * Returns the states of several runs now, all over the one stream of the browser, and the state of the connection. A run
 * starts from what the server knew when it rendered it first; another rendering changes nothing of it, and may bring more runs.
 */
export function useRunsEvents(
  initial: RunStates,
  port: FollowPort = browserPort,
): { states: RunStates; connection: ConnectionState } {
  const [states, apply] = useReducer(foldNews, initial)
  const [connection, setConnection] = useState<ConnectionState>('closed')
  const follows = useRef(new Map<string, () => void>())
  if ([...initial.keys()].some((runId) => !states.has(runId)))
    apply({ type: 'joined', runs: initial })

  // External system: the event stream of this browser. Runs that are followed stay so when others join.
  useEffect(() => {
    for (const [runId, { end, lastSeq }] of initial) {
      if (end !== null || follows.current.has(runId)) continue
      const stop = connectRunEvents({
        runId,
        after: lastSeq,
        port,
        onUpdates: (updates) => apply({ type: 'told', runId, updates }),
        // The end of one run says nothing of the others.
        onConnection: (state) => state !== 'closed' && setConnection(state),
      })
      follows.current.set(runId, stop)
    }
  }, [initial, port])
  useEffect(() => {
    const { current } = follows
    return () => {
      for (const stop of current.values()) stop()
      current.clear()
    }
  }, [])

  return { states, connection }
}
