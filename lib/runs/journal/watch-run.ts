import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { type Database, database } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import {
  endOf,
  isDelta,
  type RunDelta,
  type RunUpdate,
  unknownPart,
} from '@/lib/protocol/run-delta'
import type { RunEvent } from '@/lib/protocol/run-event'
import { type Engine, runningEngine } from '../engine/engine'
import { requireRun } from '../require-run'
import { toRunEvent } from '../run-record'
import { openNotifications } from './notifications'
import { followRun, openRunFeed } from './run-feed'
import { sendOn } from './shared-answers'

const batchSize = 500
/** What is read of an engine. */
type Source = Pick<Engine, 'database' | 'feed' | 'instanceId'>

/** What a watcher has: the events up to `seq`, and so many units of the answer that `round` streamed after it. */
type Cursor = { seq: number; round?: number; offset?: number }
type Watched = { after: Cursor; signal: AbortSignal }

/**
 * Yields a run's events after the cursor, in order, in batches, then live ones, and between them the answer that an open
 * round streams, until it yielded `run-end` or `signal` aborts. Throws NotFoundError for runs that are not the caller's.
 */
export async function* watchRun(
  ctx: Ctx,
  runId: string,
  watched: Watched,
  engine = runningEngine(),
): AsyncGenerator<RunUpdate[]> {
  if (engine) return yield* watchWith(engine, ctx, runId, watched)
  // A process without an engine listens only while it watches.
  const own = database()
  const notifications = openNotifications(own.url)
  const feed = openRunFeed(notifications, '', sendOn(own))
  try {
    yield* watchWith({ database: own, feed, instanceId: '' }, ctx, runId, watched)
  } finally {
    feed.close()
    await notifications.close()
  }
}

async function* watchWith(
  { database, feed, instanceId }: Source,
  ctx: Ctx,
  runId: string,
  { after, signal }: Watched,
): AsyncGenerator<RunUpdate[]> {
  const run = await requireRun(ctx, runId, database.client)
  const isElsewhere = run.status !== 'ended' && run.instanceId !== instanceId
  const subscription = followRun(feed, runId, { signal, isElsewhere })
  let seen = { seq: after.seq, start: 0, length: 0 }
  try {
    while (!signal.aborted) {
      const notified = subscription.newest()
      const fed = subscription.take(seen.seq)
      const events = fed ?? (await readEventsAfter(database, runId, seen.seq))
      const last = events.at(-1)
      if (last) {
        feed.note(events)
        yield events
        seen = { ...seen, seq: last.seq }
        if (last.type === 'run-end') return
        // Of a full batch, there may be more.
        if (!fed && events.length === batchSize) continue
      } else if (!fed && (await hasEnded(database, runId, seen.seq))) {
        return
      }
      const pieces = feed.answer(runId, seen).flatMap((piece) => unseenOf(piece, after))
      const end = pieces.at(-1)
      if (end) {
        yield pieces
        seen = { ...seen, start: end.start, length: endOf(end) }
      }
      // What was announced before this read and is not there will not come: the run was deleted.
      await subscription.news(Math.max(seen.seq, notified))
    }
  } finally {
    subscription.close()
  }
}

/** Returns what the reader has not seen of a piece of the answer that it has read a part of. */
function unseenOf(piece: RunDelta, { seq, round, offset = 0 }: Cursor): RunDelta[] {
  if (round !== piece.data.round || piece.start > seq || piece.offset >= offset) return [piece]
  const part = unknownPart(piece, { start: piece.start, length: offset })
  return part ? [part] : []
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
  if (run.status === 'ended' && run.lastSeq <= after.seq) return new Response(null, { status: 204 })
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
  after: Cursor
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
  const frames = openFrames(after.seq)
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

/**
 * Returns what writes updates as server-sent events. The id of an event is its number; the id of a piece is the number of
 * the event before it, its round, and where it ends: `12.2.345`.
 */
function openFrames(after: number): (updates: readonly RunUpdate[]) => string {
  let seq = after
  const idOf = (update: RunUpdate): string => {
    if (isDelta(update)) return `${seq}.${update.data.round}.${endOf(update)}`
    seq = update.seq
    return String(seq)
  }
  return (updates) =>
    updates.map((update) => `id: ${idOf(update)}\ndata: ${JSON.stringify(update)}\n\n`).join('')
}

/**
 * Returns the place that the reader has reached, from the id of the last thing it read. A browser that reconnects repeats
 * the first address and adds the header, so the header wins.
 */
function readCursor(request: Request): Cursor {
  const text =
    request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? '0'
  const numbers = /^(\d{1,10})(?:\.(\d{1,10})\.(\d{1,10}))?$/.exec(text)
  if (!numbers) throw new ValidationError({ after: 'The cursor must be the number of an event.' })
  const [, seq, round, offset] = numbers
  const after = { seq: Math.min(Number(seq), 2_147_483_647) }
  return round === undefined ? after : { ...after, round: Number(round), offset: Number(offset) }
}
