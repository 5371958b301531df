import {
  browserHubPort,
  type ConnectionState,
  type Follow,
  type LiveListener,
  openLiveHub,
} from './live-hub'

/** Message of a tab to the worker. `key` names one follow of this tab. */
export type TabMessage =
  | { type: 'follow'; key: number; runId: string; place: string }
  | { type: 'leave'; key: number }

/** Message of the worker to a tab. */
export type WorkerMessage =
  | { type: 'update'; key: number; update: string; place: string }
  | { type: 'state'; key: number; state: ConnectionState }

/** The worker, as far as a tab needs it. `onMessage` and `onFailure` set who is told. */
export type WorkerPort = {
  post: (message: TabMessage) => void
  onMessage: (listener: (message: WorkerMessage) => void) => void
  onFailure: (listener: () => void) => void
}

let shared: Follow | null = null

/** Follows a run with the stream of this browser: that of all its tabs, or of this tab where tabs can share none. */
export const followLive: Follow = (...args) => {
  shared ??= openShared()
  return shared(...args)
}

function openShared(): Follow {
  const openOwn = () => openLiveHub(browserHubPort)
  if (!('SharedWorker' in globalThis)) return openOwn()
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { name: 'live' })
  return followThrough(
    {
      post: (message) => worker.port.postMessage(message),
      onMessage: (listener) => {
        worker.port.onmessage = ({ data }) => listener(data)
      },
      onFailure: (listener) => {
        worker.onerror = listener
      },
    },
    openOwn,
  )
}

/** Returns what follows runs through a worker and, when that cannot be loaded, through a hub of this tab. */
export function followThrough(worker: WorkerPort, openOwn: () => Follow): Follow {
  const follows = new Map<number, { runId: string; place: string; listener: LiveListener }>()
  const ownStops = new Map<number, () => void>()
  let own: Follow | null = null
  let keys = 0

  const begin = (key: number): void => {
    const request = follows.get(key)
    if (!request) return
    const { runId, place, listener } = request
    if (own) ownStops.set(key, own(runId, place, listener))
    else worker.post({ type: 'follow', key, runId, place })
  }

  worker.onMessage((message) => {
    const request = follows.get(message.key)
    if (!request || own) return
    if (message.type === 'state') return request.listener.onState(message.state)
    request.place = message.place
    request.listener.onUpdate(message.update, message.place)
  })
  worker.onFailure(() => {
    if (own) return
    own = openOwn()
    for (const key of follows.keys()) begin(key)
  })

  return (runId, place, listener) => {
    const key = ++keys
    follows.set(key, { runId, place, listener })
    begin(key)
    return () => {
      follows.delete(key)
      ownStops.get(key)?.()
      ownStops.delete(key)
      if (!own) worker.post({ type: 'leave', key })
    }
  }
}
