import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import type { RunEvent } from '@/lib/protocol/run-event'
import { requireRun } from '../require-run'
import { watchRun } from './watch-run'

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

/** A browser that reconnects repeats the first address and adds the header, so the header counts. */
function readCursor(request: Request): number {
  const text =
    request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? '0'
  if (!/^\d{1,10}$/.test(text))
    throw new ValidationError({ after: 'The cursor must be the number of an event.' })
  return Math.min(Number(text), 2_147_483_647)
}
