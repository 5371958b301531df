'use client'

import { useEffect, useReducer, useState } from 'react'
import { foldRun, type RunState } from '@/lib/protocol/fold-run'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { type ConnectionState, connectRunEvents, type StreamPort } from './connect-run-events'

const browserPort: StreamPort = {
  open: (url, { onOpen, onData, onLost }) => {
    const source = new EventSource(url)
    source.onopen = onOpen
    source.onmessage = (message) => onData(message.data, message.lastEventId)
    source.onerror = () => onLost(source.readyState === EventSource.CLOSED)
    return () => source.close()
  },
  probe: async (url) => (await fetch(url, { method: 'HEAD', cache: 'no-store' })).status,
  after: (ms, then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  nextFrame: (then) => {
    const frame = requestAnimationFrame(then)
    return () => cancelAnimationFrame(frame)
  },
  random: Math.random,
}

const foldBatch = (state: RunState, updates: RunUpdate[]) => foldRun(updates, state)

/**
 * Returns the state of the run now, and the state of the connection. Starts from what the server rendered and follows
 * the journal from there. What arrives twice changes nothing. Give the component a `key` of the run's id.
 */
export function useRunEvents(
  runId: string,
  initial: RunState,
  port: StreamPort = browserPort,
): { state: RunState; connection: ConnectionState } {
  const [state, apply] = useReducer(foldBatch, initial)
  const ended = initial.end !== null
  const after = initial.lastSeq
  const [connection, setConnection] = useState<ConnectionState>(ended ? 'closed' : 'connecting')

  // Outside system: the event stream of this run.
  useEffect(() => {
    if (ended) return
    return connectRunEvents({ runId, after, port, onUpdates: apply, onConnection: setConnection })
  }, [runId, after, ended, port])

  return { state, connection }
}
