'use client'

import { useEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { connectRunEvents, type FollowPort } from './connect-run-events'
import { followLive } from './follow-live'
import { browserHubPort, type ConnectionState } from './live-hub'

/** A tab that is hidden for this long lets its stream go. */
const hiddenMs = 10_000

/** After it showed something, a page rests for so many times as long as that took, at least and at most. */
const restFactor = 8
const shortestRestMs = 50
const longestRestMs = 500

/** The browser, as far as the pace of a page needs it. `frame` works before the next painting. */
export type PacePort = {
  now: () => number
  after: (ms: number, then: () => void) => () => void
  frame: (then: () => void) => () => void
}

/**
 * Returns what shows news in a frame, and leaves a page most of its time, however long the answer and slow the device:
 * what took long to show, with layout and painting, is shown less often.
 */
export function openPace({ now, after, frame }: PacePort): FollowPort['nextFrame'] {
  let restsUntil = Number.NEGATIVE_INFINITY
  const restFrom = (began: number) => {
    const rest = restFactor * (now() - began)
    restsUntil = now() + Math.min(longestRestMs, Math.max(shortestRestMs, rest))
  }
  const show = (then: () => void) => {
    const began = now()
    then()
    restFrom(began)
    // By the next task, the frame is painted, too.
    after(0, () => restFrom(began))
  }
  return (then) => {
    let cancel: () => void = () => undefined
    const wait = () => {
      const rest = restsUntil - now()
      cancel = rest > 0 ? after(rest, wait) : frame(() => show(then))
    }
    wait()
    return () => cancel()
  }
}

export const browserPort: FollowPort = {
  follow: followLive,
  nextFrame: openPace({
    now: () => performance.now(),
    after: browserHubPort.after,
    frame: (then) => {
      // At once, so that one frame has the news, its layout and its painting.
      const frame = requestAnimationFrame(() => flushSync(then))
      return () => cancelAnimationFrame(frame)
    },
  }),
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
