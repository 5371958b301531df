'use client'

import { useEffect, useReducer, useState } from 'react'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { connectRunEvents, type FollowPort } from './connect-run-events'
import { followLive } from './follow-live'
import type { ConnectionState } from './live-hub'

/** A tab that is hidden for this long lets its stream go. */
const hiddenMs = 10_000

const browserPort: FollowPort = {
  follow: followLive,
  nextFrame: (then) => {
    const frame = requestAnimationFrame(then)
    return () => cancelAnimationFrame(frame)
  },
  whileShown: (show, hide) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.hidden) timer = setTimeout(hide, hiddenMs)
      else show()
    }
    if (!document.hidden) show()
    document.addEventListener('visibilitychange', look)
    window.addEventListener('pageshow', look)
    window.addEventListener('pagehide', hide)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pageshow', look)
      window.removeEventListener('pagehide', hide)
    }
  },
}

const foldBatch = (state: RunState, updates: RunUpdate[]) => foldRun(updates, state)

/**
 * Returns the state of the run now, and the state of the connection. Starts from what the server rendered and follows
 * the journal from there. What arrives twice changes nothing. Give the component a `key` of the run's id.
 */
export function useRunEvents(
  runId: string,
  initial: RunState,
  port: FollowPort = browserPort,
): { state: RunState; connection: ConnectionState } {
  const [state, apply] = useReducer(foldBatch, initial)
  const ended = initial.end !== null
  const after = initial.lastSeq
  const [connection, setConnection] = useState<ConnectionState>(ended ? 'closed' : 'connecting')

  // Outside system: the event stream of this browser.
  useEffect(() => {
    if (ended) return
    return connectRunEvents({ runId, after, port, onUpdates: apply, onConnection: setConnection })
  }, [runId, after, ended, port])

  return { state, connection }
}
