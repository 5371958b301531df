import 'server-only'
import type { Ctx } from '@/lib/context'
import { ValidationError } from '@/lib/errors'
import type { RunEvent } from '@/lib/protocol/run-event'
import { shutdownSignal } from '@/lib/shutdown'
import { requireRun } from './require-run'
import { watchRun } from './watch-run'

/** Proxies close connections that stay silent for long. */
const heartbeatMs = 15_000
/** Whoever may no longer see the run is cut off within 5 s (SPEC J3). */
const recheckMs = 3_000
const encoder = new TextEncoder()

type StreamInput = {
  ctx: Ctx
  request: Request
  runId: string
  /** Asks again who this is; null = nobody who may be here. */
  recheck: () => Promise<Ctx | null>
}

/**
 * A run's journal as server-sent events: `id` is the seq, `Last-Event-ID` or `?after=` says where to go on. 204 when
 * the run has ended and there is nothing to replay, 503 while this process stops. Throws NotFoundError for runs that
 * are not the caller's and ValidationError for a cursor that is no number.
 */
export async function streamRunEvents({
  ctx,
  request,
  runId,
  recheck,
}: StreamInput): Promise<Response> {
  const after = readCursor(request)
  const run = await requireRun(ctx, runId)
  // Browsers repeat a lost connection over the same socket; it has to go for the process to end.
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

/** A browser that reconnects by itself repeats the first address and adds the header: the header knows more. */
function readCursor(request: Request): number {
  const text =
    request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after') ?? '0'
  if (!/^\d{1,10}$/.test(text))
    throw new ValidationError({ after: 'The cursor must be the number of an event.' })
  return Math.min(Number(text), 2_147_483_647)
}
