import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { RunEvent } from '@/lib/protocol/run-event'
import { runningEngine } from '../engine/running-engine'
import { requireRun } from '../require-run'
import { toRunEvent } from '../run-record'
import { freshEventsAfter } from './fresh-events'
import { parseRunNotice } from './run-notice'
import { channels, onNotify } from './wake'

const batchSize = 500
/** Notifications can be lost with their connection, so the journal is read this often without one. */
const safetyPollMs = 5_000

/**
 * Yields a run's events with `seq > after`, in order, in batches, and then live ones until it yielded `run-end` or
 * `signal` aborts. Throws NotFoundError for runs that are not the caller's.
 */
export async function* watchRun(
  ctx: Ctx,
  runId: string,
  options: { after: number; signal: AbortSignal },
): AsyncGenerator<RunEvent[]> {
  await requireRun(ctx, runId)
  const subscription = subscribeToRun(runId, options.signal)
  let cursor = options.after
  try {
    while (!options.signal.aborted) {
      const notified = subscription.newest()
      const events = freshEventsAfter(runId, cursor) ?? (await readEventsAfter(runId, cursor))
      const last = events.at(-1)
      if (last) {
        yield events
        cursor = last.seq
        if (last.type === 'run-end') return
        if (events.length === batchSize) continue
      } else if (await hasEnded(runId, cursor)) {
        return
      }
      await subscription.after(Math.max(cursor, notified))
    }
  } finally {
    subscription.close()
  }
}

async function readEventsAfter(runId: string, after: number): Promise<RunEvent[]> {
  const rows = await db().runEventRow.findMany({
    where: { runId, seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: batchSize,
  })
  return rows.map(toRunEvent)
}

async function hasEnded(runId: string, cursor: number): Promise<boolean> {
  const run = await db().run.findUnique({
    where: { id: runId },
    select: { status: true, lastSeq: true },
  })
  return !run || (run.status === 'ended' && run.lastSeq <= cursor)
}

/**
 * Subscribes to the notifications of a run and remembers the newest `seq` they named, so that one that arrives during a
 * read is neither lost nor read twice.
 */
function subscribeToRun(runId: string, signal: AbortSignal) {
  let newest = 0
  let waitsFor = 0
  /** The connection for notifications was lost for a while. */
  let missed = false
  let wake: () => void = () => undefined
  const unsubscribe = onNotify(channels.run, (payload) => {
    if (payload === '') {
      missed = true
      return wake()
    }
    const notice = parseRunNotice(payload)
    // Of what this process wrote, `notifyWatchers` notifies.
    if (notice.runId !== runId || notice.writer === runningEngine()?.instanceId) return
    newest = Math.max(newest, notice.seq)
    if (newest > waitsFor) wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  return {
    newest: () => newest,
    /** Resolves after a notification of an event after `seq`, and after `safetyPollMs` without one. */
    after: (seq: number) => {
      waitsFor = seq
      return new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, safetyPollMs)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (newest > seq || missed || signal.aborted) wake()
        missed = false
      })
    },
    close: () => {
      wake()
      unsubscribe()
      signal.removeEventListener('abort', onAbort)
    },
  }
}
