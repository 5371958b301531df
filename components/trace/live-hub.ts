/**
 * `refused`: the reader is signed out or may not see the run, so there is no new attempt. `lost`: what was shown is not in the
 * database any more.
 */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'refused' | 'lost' | 'closed'

/**
 * Follower of a run. `data` is an event of the run or a piece of an answer as JSON, `place` is the place to continue
 * after it.
 */
export type LiveListener = {
  onUpdate: (data: string, place: string) => void
  onState: (state: ConnectionState) => void
}

/** Follows a run from a place. Returns the function that stops it. */
export type Follow = (runId: string, place: string, listener: LiveListener) => () => void

/** `onEnd`: nothing more of a run will come. `onLost`: the stream broke. */
type StreamHandlers = {
  onOpen: () => void
  onUpdate: (id: string, data: string) => void
  onEnd: (data: string) => void
  onLost: () => void
}

/**
 * The browser, as far as the stream needs it. `open` returns the function that closes the stream; `probe` gives the HTTP
 * status that the stream would answer with.
 */
export type HubPort = {
  open: (url: string, handlers: StreamHandlers) => () => void
  probe: (url: string) => Promise<number>
  after: (ms: number, then: () => void) => () => void
  random: () => number
}

export const browserHubPort: HubPort = {
  open: (url, { onOpen, onUpdate, onEnd, onLost }) => {
    const source = new EventSource(url)
    source.onopen = onOpen
    source.onmessage = ({ lastEventId, data }) => onUpdate(lastEventId, data)
    source.addEventListener('end', ({ data }) => onEnd(data))
    source.onerror = onLost
    return () => source.close()
  },
  probe: async (url) => (await fetch(url, { method: 'HEAD', cache: 'no-store' })).status,
  after: (ms, then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

type Followed = { place: string; listeners: Set<LiveListener> }

/** Tabs that open or close together share one new stream. */
const togetherMs = 30
const longestPauseMs = 5_000
const pointless = new Set([401, 403, 422])

/**
 * Opens what follows all runs of a browser with one stream, because a browser allows a site few connections (SPEC J3).
 * When the runs change, or the stream breaks, it is opened anew, each run after what came of it last.
 */
export function openLiveHub(port: HubPort): Follow {
  const hub = new LiveHub(port)
  return (runId, place, listener) => hub.follow(runId, place, listener)
}

class LiveHub {
  private readonly runs = new Map<string, Followed>()
  private close: (() => void) | null = null
  private cancelWait: (() => void) | null = null
  private failures = 0
  private state: ConnectionState = 'connecting'

  constructor(private readonly port: HubPort) {}

  follow(runId: string, place: string, listener: LiveListener): () => void {
    const { runs } = this
    const known = runs.get(runId)
    const run = known ?? { place, listeners: new Set() }
    const isNew = !known || isBefore(place, known.place)
    if (isNew) run.place = place
    runs.set(runId, run)
    run.listeners.add(listener)
    if (isNew) this.openSoon()
    else if (this.state === 'live') listener.onState('live')
    return () => {
      run.listeners.delete(listener)
      if (run.listeners.size > 0 || runs.get(runId) !== run) return
      runs.delete(runId)
      if (runs.size === 0) this.shut()
      else this.openSoon()
    }
  }

  /** Closes the stream at once: what it still gave would move the place at which a tab that is behind has to begin. */
  private openSoon(): void {
    if (this.state === 'reconnecting' && this.failures > 0 && this.cancelWait) return
    this.shut()
    this.cancelWait = this.port.after(togetherMs, () => this.open())
  }

  private open(): void {
    this.shut()
    if (this.runs.size === 0) return
    this.close = this.port.open(this.url(), {
      onOpen: () => {
        this.failures = 0
        this.tellAll('live')
      },
      onUpdate: (id, data) => this.update(id, data),
      onEnd: (data) => this.end(data),
      onLost: () => {
        this.shut()
        this.tellAll('reconnecting')
        this.pause()
      },
    })
  }

  private update(id: string, data: string): void {
    const [runId = '', place = ''] = id.split(':')
    const run = this.runs.get(runId)
    if (!run) return
    run.place = place
    for (const each of run.listeners) each.onUpdate(data, place)
  }

  private end(data: string): void {
    const { runId, refused, lost } = JSON.parse(data)
    const { listeners = [] } = this.runs.get(runId) ?? {}
    this.runs.delete(runId)
    for (const each of listeners) each.onState(lost ? 'lost' : refused ? 'refused' : 'closed')
    if (this.runs.size === 0) this.shut()
  }

  private pause(): void {
    const ms = Math.min(longestPauseMs, 250 * 2 ** this.failures) * (0.5 + this.port.random() / 2)
    this.failures += 1
    this.cancelWait = this.port.after(ms, () => void this.resume())
  }

  private async resume(): Promise<void> {
    this.cancelWait = null
    if (this.runs.size === 0) return
    const status = await this.port.probe(this.url()).catch(() => 0)
    // Something else opened the stream, or waits to do so.
    if (this.close || this.cancelWait) return
    if (status === 200) return this.open()
    if (!pointless.has(status)) return this.pause()
    this.tellAll('refused')
    this.runs.clear()
  }

  private shut(): void {
    this.close?.()
    this.close = null
    this.cancelWait?.()
    this.cancelWait = null
  }

  private tellAll(state: ConnectionState): void {
    this.state = state
    for (const { listeners } of this.runs.values())
      for (const each of listeners) each.onState(state)
  }

  private url(): string {
    const places = [...this.runs].map(([runId, { place }]) => `run=${runId}:${place}`)
    return `/api/events?${places.join('&')}`
  }
}

/** Returns whether a place in a run, `SEQ` or `SEQ.ROUND.OFFSET`, is before another one. */
function isBefore(a: string, b: string): boolean {
  const [ofA, ofB] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (const part of [0, 1, 2]) {
    const difference = (ofA[part] ?? 0) - (ofB[part] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
