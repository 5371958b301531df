import { isDelta, type RunUpdate } from '@/lib/protocol/run-delta'

/** `refused`: the reader is signed out or may not see the run, so there is no new attempt. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'closed'

/** `onLost` says whether the browser gave up (true) or tries again by itself (false). */
export type StreamHandlers = {
  onOpen: () => void
  /** `id` is where to go on after this. */
  onData: (data: string, id: string) => void
  onLost: (gaveUp: boolean) => void
}

/**
 * The browser, as far as a subscription needs it. `open` returns the function that closes the stream; `probe` gives
 * the HTTP status the stream would answer with.
 */
export type StreamPort = {
  open: (url: string, handlers: StreamHandlers) => () => void
  probe: (url: string) => Promise<number>
  after: (ms: number, then: () => void) => () => void
  nextFrame: (then: () => void) => () => void
  random: () => number
}

type Options = {
  runId: string
  /** Events up to this seq are already known. */
  after: number
  port: StreamPort
  /** Called with events in seq order, each once, and pieces of answers between them, at most once per frame. */
  onUpdates: (updates: RunUpdate[]) => void
  onConnection: (state: ConnectionState) => void
}

const LONGEST_PAUSE_MS = 5_000
const pointless = new Set([401, 403, 404])

/**
 * Follows a run until its end. The browser repeats a lost connection by itself, but gives up on any answer that is
 * not a stream (a 503 while the server restarts): then it is opened anew here, after what was seen last (SPEC J3).
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
  /** The id of what came last. */
  let place = String(after)
  let failures = 0
  let stopped = false
  let close: (() => void) | null = null
  let waiting: RunUpdate[] = []
  let cancelFrame: (() => void) | null = null
  let cancelPause: (() => void) | null = null

  const url = () => `/api/runs/${runId}/events?after=${place}`

  function open(): void {
    close = port.open(url(), {
      onOpen: () => {
        failures = 0
        onConnection('live')
      },
      onData: (data, id) => receive(parseUpdate(data), id),
      onLost: (gaveUp) => {
        if (stopped) return
        onConnection('reconnecting')
        if (gaveUp) pause()
      },
    })
  }

  function receive(update: RunUpdate, id: string): void {
    if (stopped) return
    if (!isDelta(update)) {
      if (update.seq <= lastSeq) return
      lastSeq = update.seq
    }
    place = id
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

  function pause(): void {
    close?.()
    close = null
    const ms = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures) * (0.5 + port.random() / 2)
    failures += 1
    cancelPause = port.after(ms, () => void resume())
  }

  async function resume(): Promise<void> {
    const status = await port.probe(url()).catch(() => 0)
    if (stopped) return
    if (pointless.has(status)) return finish('refused')
    if (status === 204) return finish('closed')
    if (status === 200) return open()
    pause()
  }

  function finish(state: ConnectionState): void {
    flush()
    onConnection(state)
    stop()
  }

  function stop(): void {
    stopped = true
    close?.()
    close = null
    cancelFrame?.()
    cancelPause?.()
  }

  onConnection('connecting')
  open()
  return stop
}

/** Parses what the stream says without validating it, because it comes from this server. */
function parseUpdate(data: string): RunUpdate {
  return JSON.parse(data)
}
