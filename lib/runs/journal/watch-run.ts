import 'server-only'
import pLimit, { type LimitFunction } from 'p-limit'
import { eventStreamHeaders, heartbeatMs, recheckMs } from '@/lib/edge/event-stream'
import { mostAddressParts } from '@/lib/edge/request-limits'
import type { Ctx } from '@/lib/kernel/context'
import { type Database, database } from '@/lib/kernel/db'
import { ConflictError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { retryAfterSeconds } from '@/lib/protocol/outage'
import {
  type AnswerPlace,
  endOf,
  type RunDelta,
  type RunUpdate,
  unknownPart,
} from '@/lib/protocol/run/run-delta'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import { type Engine, runningEngine } from '../engine/engine'
import { requireRun, seesRunsOf, visibleOf } from '../require-run'
import { toRunEvent } from '../run-record'
import { openNotifications } from './notifications'
import { RunFeed } from './run-feed'
import { RunFollower } from './run-follower'
import { sendOn } from './shared-answers'
import { type Cursor, openFrames, toCursor } from './stream-frames'
import { readerOf, readInTurn, requireStreamPlace, takeStreamPlace, turnOf } from './stream-places'

const batchSize = 200
/** What is read of an engine. */
type Source = Pick<Engine, 'database' | 'feed' | 'instanceId'>

type Watched = {
  after: Cursor
  signal: AbortSignal
  /** The watches that share it read and yield stored events one after the other; left out = this one shares with none. */
  turns?: LimitFunction
}

/**
 * Yields a run's events after the cursor, in order, in batches, then live ones, and between them the answer that an open
 * round streams, until it yielded `run-end` or `signal` aborts. Throws NotFoundError for runs that are not the caller's, and ConflictError
 * when what it yielded is not in the database any more.
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
  const feed = new RunFeed(notifications, '', sendOn(own))
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
  { after, signal, turns }: Watched,
): AsyncGenerator<RunUpdate[]> {
  const { userId } = ctx.actor
  const run = isBegun(feed, ctx, runId)
    ? null
    : await readInTurn(userId, () => requireRun(ctx, runId, database.client))
  const isElsewhere = run !== null && run.status !== 'ended' && run.instanceId !== instanceId
  const subscription = new RunFollower(feed, runId, { signal, isElsewhere })
  let seen: Seen & AnswerPlace = { seq: after.seq, at: null, start: 0, length: 0 }
  try {
    while (!signal.aborted) {
      const notified = subscription.newest()
      const fed = subscription.take(seen.seq)
      const endTurn = fed || !turns ? null : await turnOf(turns)
      try {
        if (signal.aborted) return
        const { seq } = seen
        const read = () => readEventsAfter(database, runId, seen)
        const events = fed ?? (await readInTurn(userId, read))
        const last = events.at(-1)
        if (last) {
          feed.note(events)
          yield events
          seen = { ...seen, seq: last.seq, at: last.at }
          if (last.type === 'run-end') return
          // Of a full batch, there may be more.
          if (!fed && events.length === batchSize) continue
        } else if (!fed && (await readInTurn(userId, () => hasEnded(database, runId, seq)))) {
          return
        }
      } finally {
        endTurn?.()
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

/** Returns whether this engine began the run, so that nothing of it must be read for a caller who may see it. */
function isBegun(feed: RunFeed, ctx: Ctx, runId: string): boolean {
  const begun = feed.begun(runId)
  return begun !== null && seesRunsOf(ctx, begun.userId)
}

/** Returns what the reader has not seen of a piece of the answer that it has read a part of. */
function unseenOf(piece: RunDelta, { seq, round, offset = 0 }: Cursor): RunDelta[] {
  if (round !== piece.data.round || piece.start > seq || piece.offset >= offset) return [piece]
  const part = unknownPart(piece, { start: piece.start, length: offset })
  return part ? [part] : []
}

/** Events up to `seq` were yielded, the last of them of the time `at`; null = an earlier watch yielded it. */
type Seen = { seq: number; at: number | null }

/**
 * Returns the events after the last one that was seen, at most `batchSize`. Throws ConflictError when that one, or the run, is
 * not in the database any more.
 */
async function readEventsAfter(
  { client }: Database,
  runId: string,
  { seq, at }: Seen,
): Promise<RunEvent[]> {
  const rows = await client.runEventRow.findMany({
    where: { runId, seq: { gte: Math.max(1, seq) } },
    orderBy: { seq: 'asc' },
    take: seq === 0 ? batchSize : batchSize + 1,
  })
  const events = rows.map(toRunEvent)
  if (seq === 0) return events
  const [last, ...later] = events
  if (last?.seq === seq && (at === null || last.at === at)) return later
  const run = await client.run.findUnique({ where: { id: runId }, select: { id: true } })
  throw new ConflictError(run ? wentBack : vanished)
}

const wentBack =
  'The database went back to an earlier state: events of this run that were shown are not in it any more. Load the run again to see what is left.'
const vanished =
  'This run is not in the database any more: it was deleted, or the database went back to an earlier state.'

async function hasEnded({ client }: Database, runId: string, cursor: number): Promise<boolean> {
  const run = await client.run.findUnique({
    where: { id: runId },
    select: { status: true, lastSeq: true },
  })
  if (!run) throw new ConflictError(vanished)
  return run.status === 'ended' && run.lastSeq <= cursor
}

const encoder = new TextEncoder()

type StreamInput = {
  ctx: Ctx
  request: Request
  /** Authenticates again; null = no longer allowed. */
  recheck: () => Promise<Ctx | null>
}

/** A run that is streamed; `after` is what its reader has. */
type Streamed = { runId: string; after: Cursor }

/**
 * Returns the journal of a run as server-sent events: `id` is the seq, `Last-Event-ID` or `?after=` the one to continue
 * after. Answers 204 when the run has ended and nothing is left to replay, and 503 while this process stops. Throws
 * NotFoundError for runs that are not the caller's and ValidationError for a cursor that is not a number.
 */
export async function streamRunEvents(input: StreamInput & { runId: string }): Promise<Response> {
  const { ctx, request, runId } = input
  const { searchParams } = new URL(request.url)
  // A browser that reconnects repeats the first address and adds the header, so the header wins.
  const after = toCursor(request.headers.get('last-event-id') ?? searchParams.get('after') ?? '0')
  const feed = runningEngine()?.feed
  const run = feed && isBegun(feed, ctx, runId) ? null : await requireRun(ctx, runId)
  if (shutdownSignal.aborted) return stopping()
  if (run?.status === 'ended' && run.lastSeq <= after.seq)
    return new Response(null, { status: 204 })
  return openStream(input, [{ runId, after }], '')
}

/** The most runs in one stream: their ids and places must fit into an address. */
const mostStreamed = mostAddressParts

/**
 * Returns the journals of several runs as server-sent events, each `?run=ID:PLACE` from its own place (SPEC J3); a run
 * that is named more than once is sent once, from the place that was named last. `id` is `ID:PLACE`. An event `end` says that nothing
 * more of a run will come: it has ended, is not the caller's (any more), or is `lost`, because what was sent of it is not in the
 * database any more.
 */
export async function streamRuns(input: StreamInput): Promise<Response> {
  const places = new URL(input.request.url).searchParams.getAll('run')
  if (places.length === 0 || places.length > mostStreamed)
    throw new ValidationError({ run: `Name 1 to ${mostStreamed} runs.` })
  const runs = new Map<string, Streamed>()
  for (const place of places) {
    const [runId = '', after = '0'] = place.split(':')
    runs.set(runId, { runId, after: toCursor(after) })
  }
  if (shutdownSignal.aborted) return stopping()
  return openStream(input, [...runs.values()], ':')
}

/**
 * Returns the answer of a process that stops. Browsers reconnect over the same socket; it must be closed for the process to
 * end.
 */
function stopping(): Response {
  return new Response(null, {
    status: 503,
    headers: { connection: 'close', 'retry-after': String(retryAfterSeconds[503]) },
  })
}

/** Returns the stream. `between` stands between the id of a run and a place in it; empty = the only run needs no id. */
function openStream(input: StreamInput, runs: readonly Streamed[], between: string): Response {
  const headers = eventStreamHeaders
  const reader = readerOf(input.ctx)
  if (input.request.method === 'HEAD') {
    requireStreamPlace(reader)
    return new Response(null, { headers })
  }
  return new Response(openBody(input, takeStreamPlace(reader), runs, between), { headers })
}

function openBody(
  { ctx, request, recheck }: StreamInput,
  leavePlace: () => void,
  runs: readonly Streamed[],
  between: string,
): ReadableStream<Uint8Array> {
  const barred = new AbortController()
  const left = AbortSignal.any([request.signal, shutdownSignal, barred.signal])
  const watches = new Map<string, AbortController>()
  let timers: NodeJS.Timeout[] = []
  let goOn: () => void = () => undefined
  const turns = pLimit(1)
  const stop = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
    leavePlace()
    barred.abort()
    goOn()
  }
  /** Ends the watches of runs that their reader may no longer see. */
  const look = async () => {
    const now = await recheck()
    const seen = now && (await visibleOf(now, [...watches.keys()]).catch(() => null))
    if (!seen) return stop()
    for (const [runId, watch] of watches) if (!seen.has(runId)) watch.abort()
  }
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => controller.enqueue(encoder.encode(text))
      const follow = async ({ runId, after }: Streamed) => {
        const prefix = between && `${runId}${between}`
        const frames = openFrames(after.seq, prefix)
        const watch = new AbortController()
        watches.set(runId, watch)
        const signal = AbortSignal.any([left, watch.signal])
        let lost = ''
        try {
          for await (const updates of watchRun(ctx, runId, { after, signal, turns })) {
            if (signal.aborted) break
            write(frames(updates))
            if ((controller.desiredSize ?? 0) <= 0) await room()
          }
        } catch (error) {
          if (error instanceof ConflictError) lost = error.message
          else if (!prefix || !(error instanceof NotFoundError)) throw error
          else watch.abort()
        }
        const refused = watch.signal.aborted
        watches.delete(runId)
        if (left.aborted || !(prefix || lost)) return
        write(`event: end\ndata: ${JSON.stringify({ runId, refused, ...(lost && { lost }) })}\n\n`)
      }
      /** Resolves when the reader took what was written. */
      const room = () =>
        new Promise<void>((resolve) => {
          const before = goOn
          goOn = () => {
            before()
            resolve()
          }
        })
      write('retry: 500\n\n')
      timers = [setInterval(() => write(':\n\n'), heartbeatMs), setInterval(look, recheckMs)]
      void Promise.all(runs.map(follow))
        .then(() => controller.close())
        .catch((error) => controller.error(error))
        .finally(stop)
    },
    pull() {
      const waiting = goOn
      goOn = () => undefined
      waiting()
    },
    cancel: stop,
  })
}
