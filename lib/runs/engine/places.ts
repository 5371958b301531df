import 'server-only'
import type { Database } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { channels, type Notifications } from '../journal/notifications'
import { callWaitingRuns } from '../places'
import { coalesced } from './coalesced'
import type { RunQueue } from './run-queue'

/** Room of one engine for runs, and its part of the queue. */
export type EnginePlaces = {
  /** False when a run that must wait is refused: no queue belongs to this engine. */
  readonly queued: boolean
  /** Returns the number of further runs it may work on. */
  room: () => number
  /** Keeps room for as many runs until the returned function is called: then they have begun, or will not. */
  hold: (count: number) => () => void
  /** A place may be free. Does nothing while no run waits. */
  check: () => Promise<void>
  /** Does what a notification would have done that was lost, and mends the queue. */
  repeat: () => Promise<void>
  /** A run from the queue began here. */
  begun: (runId: string) => void
  /** A run that it worked on ended, or goes on elsewhere. */
  left: (runId: string) => void
}

type Opened = {
  database: Database
  notifications: Notifications
  queue: RunQueue | undefined
  mostRuns: number
  /** Returns the number of runs it works on. */
  active: () => number
  takesSteps: () => boolean
  /** Claims runs without an owner. */
  claim: () => Promise<void>
}

export function openPlaces(opened: Opened): EnginePlaces {
  const { database, notifications, queue, mostRuns, active } = opened
  let held = 0
  /** Counts what says that runs may wait. */
  let notices = 1
  let settledAt = 0
  const fromQueue = new Set<string>()
  /** Runs from the queue that left, whose entries are still there. */
  const left: string[] = []

  const room = () => Math.max(0, mostRuns - active() - held)
  const hold = (count: number) => {
    held += count
    return () => {
      held -= count
    }
  }

  const pass = async (from: RunQueue, isMending: boolean): Promise<void> => {
    const seen = notices
    const { called, freed, ready, hasWaiting } = await callWaitingRuns(database)
    await (isMending ? from.mend(ready) : from.ready(called))
    const free = room()
    if (ready.length > 0 && free > 0) await from.take(free).finally(hold(free))
    if (called.length > free)
      await database.pool.query(`SELECT pg_notify('${channels.places}', '')`)
    const done = left.splice(0)
    await from.remove([...done, ...freed])
    if (freed.length > 0) await opened.claim()
    if (!hasWaiting && notices === seen) settledAt = seen
  }
  let isMending = false
  const check = coalesced(async () => {
    const mends = isMending
    isMending = false
    if (!queue?.isOpen() || !opened.takesSteps()) return
    if (notices === settledAt && left.length === 0) return
    try {
      await pass(queue, mends)
    } catch (error) {
      log.warn(
        { source: 'queue', error: String(error) },
        'Cannot start runs that wait; trying again',
      )
    }
  })
  notifications.subscribe(channels.places, () => {
    notices++
    void check()
  })
  return {
    queued: queue !== undefined,
    room,
    hold,
    check,
    repeat: () => {
      isMending = true
      return check()
    },
    begun: (runId) => void fromQueue.add(runId),
    left: (runId) => {
      if (fromQueue.delete(runId)) left.push(runId)
      void check()
    },
  }
}
