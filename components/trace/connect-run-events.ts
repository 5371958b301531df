import { isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'
import type { ConnectionState, Follow } from './live-hub'

/** The browser, as far as a subscription needs it. */
export type FollowPort = {
  follow: Follow
  nextFrame: (then: () => void) => () => void
  /** Calls `show` now or when the tab is shown, and `hide` when it is hidden for a while or left. */
  whileShown: (show: () => void, hide: () => void) => () => void
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
