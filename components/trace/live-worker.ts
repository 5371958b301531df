import type { TabMessage, WorkerMessage } from './follow-live'
import { browserHubPort, openLiveHub } from './live-hub'

// Runs in a SharedWorker: the one stream of all tabs of a browser.
const follow = openLiveHub(browserHubPort)

addEventListener('connect', (event) => {
  const [port] = event instanceof MessageEvent ? event.ports : []
  if (port) serve(port)
})

/** Follows what a tab asks for. A tab that closes says what it leaves. */
function serve(port: MessagePort): void {
  const follows = new Map<number, () => void>()
  const tell = (message: WorkerMessage) => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    follows.get(data.key)?.()
    follows.delete(data.key)
    if (data.type === 'leave') return
    const { key, runId, place } = data
    const stop = follow(runId, place, {
      onUpdate: (update, at) => tell({ type: 'update', key, update, place: at }),
      onState: (state) => tell({ type: 'state', key, state }),
    })
    follows.set(key, stop)
  }
}
