import 'server-only'
import type { RunEvent } from '@/lib/protocol/run-event'
import { channels, type Notifications } from './notifications'

/**
 * What a watcher hears of its run: `events` that the engine beside it has just committed, the newest `seq` that another
 * process wrote, or that notices may have been `missed`.
 */
export type RunNews =
  | { type: 'events'; events: readonly RunEvent[] }
  | { type: 'written'; seq: number }
  | { type: 'missed' }

/** What happens in runs, for the watchers in one process. */
export type RunFeed = {
  /** Gives events of one run, just committed by this engine, to its watchers. */
  publish: (events: readonly RunEvent[]) => void
  /** Calls `listener` with the news of a run. Returns the function that unsubscribes. */
  subscribe: (runId: string, listener: Listener) => () => void
}
type Listener = (news: RunNews) => void

/** Opens the feed of the engine `instanceId`; empty = a process without an engine. */
export function openRunFeed(notifications: Notifications, instanceId: string): RunFeed {
  const listeners = new Map<string, Set<Listener>>()

  const tell = (runId: string, news: RunNews): void => {
    for (const listener of listeners.get(runId) ?? []) listener(news)
  }
  notifications.subscribe(channels.run, (payload) => {
    if (listeners.size === 0) return
    if (payload === '') {
      for (const runId of listeners.keys()) tell(runId, { type: 'missed' })
      return
    }
    const { writer, runs } = parseRunNotice(payload)
    // The events of this engine are published with their content.
    if (writer === instanceId) return
    for (const { runId, seq } of runs) tell(runId, { type: 'written', seq })
  })

  return {
    publish: (events) => {
      const [first] = events
      if (first) tell(first.runId, { type: 'events', events })
    },
    subscribe: (runId, listener) => {
      const ofRun = listeners.get(runId) ?? new Set()
      listeners.set(runId, ofRun.add(listener))
      return () => {
        ofRun.delete(listener)
        if (ofRun.size === 0 && listeners.get(runId) === ofRun) listeners.delete(runId)
      }
    },
  }
}

/** A notice to watchers: the engine that wrote, and for each run the newest `seq` in its journal. */
type RunNotice = { writer: string; runs: readonly { runId: string; seq: number }[] }

/** PostgreSQL refuses notices of 8,000 bytes: a statement may write at most this many runs. */
export const mostRunsPerNotice = 150

/** Returns the payload of a notice. */
export function runNotice({ writer, runs }: RunNotice): string {
  return [writer, ...runs.map(({ runId, seq }) => `${runId}:${seq}`)].join(' ')
}

function parseRunNotice(payload: string): RunNotice {
  const [writer = '', ...places] = payload.split(' ')
  const runs = places.map((place) => {
    const [runId = '', seq = '0'] = place.split(':')
    return { runId, seq: Number(seq) }
  })
  return { writer, runs }
}
