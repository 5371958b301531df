import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { type Database, database } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import type { RunEvent } from '@/lib/protocol/run-event'
import { type Engine, runningEngine } from '../engine/engine'
import { requireRun } from '../require-run'
import { toRunEvent } from '../run-record'
import { openNotifications } from './notifications'
import { openRunFeed, type RunFeed } from './run-feed'

const batchSize = 500
/** Notifications can be lost with their connection, so the journal is read this often without one. */
const safetyPollMs = 5_000

/** What is read of an engine. */
type Source = Pick<Engine, 'database' | 'feed'>

type Watched = { after: number; signal: AbortSignal }

/**
 * Yields a run's events with `seq > after`, in order, in batches, and then live ones until it yielded `run-end` or
 * `signal` aborts. Throws NotFoundError for runs that are not the caller's.
 */
export async function* watchRun(
  ctx: Ctx,
  runId: string,
  watched: Watched,
  engine = runningEngine(),
): AsyncGenerator<RunEvent[]> {
  if (engine) return yield* watchWith(engine, ctx, runId, watched)
  // A process without an engine listens only while it watches.
  const own = database()
  const notifications = openNotifications(own.url)
  try {
    const source = { database: own, feed: openRunFeed(notifications, '') }
    yield* watchWith(source, ctx, runId, watched)
  } finally {
    await notifications.close()
  }
}

async function* watchWith(
  source: Source,
  ctx: Ctx,
  runId: string,
  { after, signal }: Watched,
): AsyncGenerator<RunEvent[]> {
  const { database, feed } = source
  await requireRun(ctx, runId, database.client)
  const subscription = followRun(feed, runId, signal)
  let cursor = after
  try {
    while (!signal.aborted) {
      const notified = subscription.newest()
      const fed = subscription.take(cursor)
      const events = fed ?? (await readEventsAfter(database, runId, cursor))
      const last = events.at(-1)
      if (last) {
        yield events
        cursor = last.seq
        if (last.type === 'run-end') return
        // Of a full batch, there may be more.
        if (!fed && events.length === batchSize) continue
      } else if (await hasEnded(database, runId, cursor)) {
        return
      }
      // What was announced before this read and is not there will not come: deltas end with their round.
      await subscription.news(Math.max(cursor, notified))
    }
  } finally {
    subscription.close()
  }
}

async function readEventsAfter(
  { client }: Database,
  runId: string,
  after: number,
): Promise<RunEvent[]> {
  const rows = await client.runEventRow.findMany({
    where: { runId, seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: batchSize,
  })
  return rows.map(toRunEvent)
}

async function hasEnded({ client }: Database, runId: string, cursor: number): Promise<boolean> {
  const run = await client.run.findUnique({
    where: { id: runId },
    select: { status: true, lastSeq: true },
  })
  return !run || (run.status === 'ended' && run.lastSeq <= cursor)
}

/** A watcher that is further behind reads the database. */
const mostPending = 2_000

/** Follows the news of a run, so that what is written during a read is neither lost nor read twice. */
function followRun(feed: RunFeed, runId: string, signal: AbortSignal) {
  let pending: RunEvent[] = []
  /** The newest `seq` that any process wrote. */
  let newest = 0
  /** Notices may be missing. */
  let missed = false
  let notify: () => void = () => undefined
  const unsubscribe = feed.subscribe(runId, (news) => {
    if (news.type === 'missed') missed = true
    else if (news.type === 'written') newest = Math.max(newest, news.seq)
    else {
      pending.push(...news.events)
      if (pending.length > mostPending) pending = pending.slice(-1)
      newest = Math.max(newest, pending.at(-1)?.seq ?? 0)
    }
    notify()
  })
  const onAbort = () => notify()
  signal.addEventListener('abort', onAbort)
  return {
    newest: () => newest,
    /** Returns the events after `seq` that are in memory; null = the database must be read. */
    take: (seq: number): RunEvent[] | null => {
      const next = pending.findIndex((event) => event.seq > seq)
      const events = next === -1 ? [] : pending.slice(next)
      pending = []
      return events[0]?.seq === seq + 1 ? events : null
    },
    /** Resolves when there are events after `seq`, and after `safetyPollMs` without any. */
    news: (seq: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => notify(), safetyPollMs)
        notify = () => {
          clearTimeout(timer)
          resolve()
        }
        if (newest > seq || missed || signal.aborted) notify()
        missed = false
      }),
    close: () => {
      notify()
      unsubscribe()
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Proxies close idle connections, so a comment is sent this often. */
const heartbeatMs = 15_000
/** The stream to a person who lost access ends within 5 s (SPEC J3). */
const recheckMs = 3_000
const encoder = new TextEncoder()

type StreamInput = {
  ctx: Ctx
  request: Request
  runId: string
  /** Authenticates again; null = no longer allowed. */
  recheck: () => Promise<Ctx | null>
}

/**
 * Returns the journal of a run as server-sent events: `id` is the seq, `Last-Event-ID` or `?after=` the one to continue
 * after. Answers 204 when the run has ended and nothing is left to replay, and 503 while this process stops. Throws
 * NotFoundError for runs that are not the caller's and ValidationError for a cursor that is not a number.
 */
export async function streamRunEvents({
  ctx,
  request,
  runId,
  recheck,
}: StreamInput): Promise<Response> {
  const after = readCursor(request)
  const run = await requireRun(ctx, runId)
  // Browsers reconnect over the same socket; it must be closed for the process to end.
  if (shutdownSignal.aborted)
    return new Response(null, { status: 503, headers: { connection: 'close' } })
  if (run.status === 'ended' && run.lastSeq <= after) return new Response(null, { status: 204 })
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  }
  if (request.method === 'HEAD') return new Response(null, { headers })
  const mayStay = async () => {
    const now = await recheck()
    return (
      now !== null &&
      (await requireRun(now, runId)
        .then(() => true)
        .catch(() => false))
    )
  }
  const left = AbortSignal.any([request.signal, shutdownSignal])
  return new Response(openBody(ctx, { runId, after, left, mayStay }), { headers })
}

type BodyInput = {
  runId: string
  after: number
  left: AbortSignal
  mayStay: () => Promise<boolean>
}

function openBody(
  ctx: Ctx,
  { runId, after, left, mayStay }: BodyInput,
): ReadableStream<Uint8Array> {
  const barred = new AbortController()
  const signal = AbortSignal.any([left, barred.signal])
  const batches = watchRun(ctx, runId, { after, signal })
  let timers: NodeJS.Timeout[] = []
  const stop = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
    barred.abort()
  }
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode('retry: 500\n\n'))
      const beat = () => controller.enqueue(encoder.encode(':\n\n'))
      const look = async () => {
        if (!(await mayStay())) stop()
      }
      timers = [setInterval(beat, heartbeatMs), setInterval(() => void look(), recheckMs)]
    },
    async pull(controller) {
      const batch = await batches.next().catch((error) => {
        stop()
        throw error
      })
      if (!batch.done && !signal.aborted)
        return controller.enqueue(encoder.encode(frames(batch.value)))
      stop()
      controller.close()
    },
    async cancel() {
      stop()
      await batches.return(undefined)
    },
  })
}

function frames(events: RunEvent[]): string {
  return events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/**
 * Returns the number of the last event that the reader has. A browser that reconnects repeats the first address and
 * adds the header, so the header wins.
 */
function readCursor(request: Request): number {
  const text =
    request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? '0'
  if (!/^\d{1,10}$/.test(text))
    throw new ValidationError({ after: 'The cursor must be the number of an event.' })
  return Math.min(Number(text), 2_147_483_647)
}
