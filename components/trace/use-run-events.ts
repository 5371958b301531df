'use client'

import { useEffect, useReducer, useState } from 'react'
import { flushSync } from 'react-dom'
import { foldRun, type RunState } from '@/lib/protocol/run/fold-run'
import { isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import { followLive } from './follow-live'
import { browserHubPort, type ConnectionState, type Follow } from './live-hub'

/** The browser, as far as a subscription needs it. */
export type FollowPort = {
  follow: Follow
  nextFrame: (then: () => void) => () => void
  /** Calls `show` now or when the tab is shown, and `hide` when it is hidden for a while or left. */
  whileShown: (show: () => void, hide: () => void) => () => void
}

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

type Options = {
  runId: string
  /** Events up to this seq are already known. */
  after: number
  port: FollowPort
  /** Called with events in seq order, each once, and pieces of answers between them, at most once per frame. */
  onUpdates: (updates: RunUpdate[]) => void
  onConnection: (state: ConnectionState) => void
}

/**
 * Follows a run until its end, while the tab is shown: a hidden tab lets go, and catches up from where it was (SPEC J3).
 * Returns the function that ends the subscription.
 */
export function connectRunEvents({
  runId,
  after,
  port,
  onUpdates,
  onConnection,
}: Options): () => void {
  let lastSeq = after
  /** Place from which to continue. */
  let place = String(after)
  let stopped = false
  let leave: (() => void) | null = null
  let waiting: RunUpdate[] = []
  let cancelFrame: (() => void) | null = null
  let unwatch: () => void = () => undefined

  function show(): void {
    if (stopped) return
    leave ??= port.follow(runId, place, {
      onUpdate: (data, at) => receive(parseUpdate(data), at),
      onState: (state) => {
        if (stopped) return
        if (state === 'refused' || state === 'lost' || state === 'closed') finish(state)
        else onConnection(state)
      },
    })
  }

  function hide(): void {
    leave?.()
    leave = null
    flush()
  }

  function receive(update: RunUpdate, at: string): void {
    if (stopped) return
    if (!isDelta(update)) {
      if (update.seq <= lastSeq) return
      lastSeq = update.seq
    }
    place = at
    waiting.push(update)
    if (update.type === 'run-end') finish('closed')
    else cancelFrame ??= port.nextFrame(flush)
  }

  function flush(): void {
    cancelFrame?.()
    cancelFrame = null
    const batch = waiting
    waiting = []
    if (batch.length > 0) onUpdates(batch)
  }

  function finish(state: ConnectionState): void {
    flush()
    onConnection(state)
    stop()
  }

  function stop(): void {
    stopped = true
    leave?.()
    leave = null
    cancelFrame?.()
    unwatch()
  }

  onConnection('connecting')
  unwatch = port.whileShown(show, hide)
  return stop
}

/** Parses what the stream says without validating it, because it comes from this server. */
function parseUpdate(data: string): RunUpdate {
  return JSON.parse(data)
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

  // External system: the event stream of this browser.
  useEffect(() => {
    if (ended) return
    return connectRunEvents({ runId, after, port, onUpdates: apply, onConnection: setConnection })
  }, [runId, after, ended, port])

  return { state, connection }
}
