import 'server-only'
import type { Ctx } from '@/lib/context'
import { db } from '@/lib/db'
import type { RunEvent } from '@/lib/protocol/run-event'
import { freshEventsAfter } from './fresh-events'
import { requireRun } from './require-run'
import { parseRunNotice } from './run-notice'
import { toRunEvent } from './run-record'
import { runningEngine } from './running-engine'
import { channels, onNotify } from './wake'

const batchSize = 500
/** Notifications can be lost with their connection; look again this often all the same. */
const safetyPollMs = 5_000

/**
 * Yields a run's events with `seq > after`, in order, in batches, and goes on live until `run-end` was given or
 * `signal` aborts. Throws NotFoundError for runs that are not the caller's.
 */
export async function* watchRun(
  ctx: Ctx,
  runId: string,
  options: { after: number; signal: AbortSignal },
): AsyncGenerator<RunEvent[]> {
  await requireRun(ctx, runId)
  const bell = openBell(runId, options.signal)
  let cursor = options.after
  try {
    while (!options.signal.aborted) {
      const told = bell.newest()
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
      await bell.after(Math.max(cursor, told))
    }
  } finally {
    bell.close()
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

/** Remembers the newest event that anyone spoke of, so what is told during a read is not lost, nor looked for twice. */
function openBell(runId: string, signal: AbortSignal) {
  let newest = 0
  let waitsFor = 0
  /** The connection for notifications was lost for a while. */
  let missed = false
  let ring: () => void = () => undefined
  const stop = onNotify(channels.run, (payload) => {
    if (payload === '') {
      missed = true
      return ring()
    }
    const news = parseRunNotice(payload)
    // What this process wrote it tells by itself.
    if (news.runId !== runId || news.writer === runningEngine()?.instanceId) return
    newest = Math.max(newest, news.seq)
    if (newest > waitsFor) ring()
  })
  const onAbort = () => ring()
  signal.addEventListener('abort', onAbort)
  return {
    newest: () => newest,
    /** Resolves when there is news of an event after `seq`, and now and then without any. */
    after: (seq: number) => {
      waitsFor = seq
      return new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, safetyPollMs)
        ring = () => {
          clearTimeout(timer)
          resolve()
        }
        if (newest > seq || missed || signal.aborted) ring()
        missed = false
      })
    },
    close: () => {
      ring()
      stop()
      signal.removeEventListener('abort', onAbort)
    },
  }
}
