'use client'

import { useEffect, useReducer, useState } from 'react'
import { foldRun, initialRunState, type RunState } from '@/lib/protocol/fold-run'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { connectRunEvents, type FollowPort } from './connect-run-events'
import type { ConnectionState } from './live-hub'
import { browserPort } from './use-run-events'

/** States by the ids of their runs. What did not change stays the same object. */
export type RunStates = ReadonlyMap<string, RunState>

type News = { runId: string; updates: RunUpdate[] }

function foldNews(states: RunStates, { runId, updates }: News): RunStates {
  return new Map(states).set(runId, foldRun(updates, states.get(runId) ?? initialRunState))
}

/**
 * Returns the states of several runs now, all over the one stream of the browser, and the state of the connection. Starts from
 * what the server rendered first; another rendering of the page changes nothing.
 */
export function useRunsEvents(
  initial: RunStates,
  port: FollowPort = browserPort,
): { states: RunStates; connection: ConnectionState } {
  const [first] = useState(initial)
  const [states, apply] = useReducer(foldNews, first)
  const [connection, setConnection] = useState<ConnectionState>('closed')

  // Outside system: the event stream of this browser.
  useEffect(() => {
    const open = [...first].filter(([, state]) => state.end === null)
    const stops = open.map(([runId, { lastSeq }]) =>
      connectRunEvents({
        ...{ runId, after: lastSeq, port },
        onUpdates: (updates) => apply({ runId, updates }),
        // The end of one run says nothing of the others.
        onConnection: (state) => state !== 'closed' && setConnection(state),
      }),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [first, port])

  return { states, connection }
}
