import 'server-only'
import { eventStreamHeaders, heartbeatMs, recheckMs } from '@/lib/edge/event-stream'
import type { Ctx } from '@/lib/kernel/context'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { readerOf, takeStreamPlace } from '@/lib/runs/journal/stream-places'

/** A request whose work is streamed. */
export type Streamed = {
  ctx: Ctx
  request: Request
  /** Authenticates again; null = no longer allowed. */
  recheck: () => Promise<Ctx | null>
}

type Work<Event> = {
  /** Does the work, which ends when `signal` aborts. Returns the last event. */
  work: (send: (event: Event) => void, signal: AbortSignal) => Promise<Event>
  /** Returns the last event of work that failed. */
  failed: (error: unknown) => Event
  /** Returns the last event for a reader who may not see it any more. */
  barred: () => Event
}

/**
 * Does work and streams its events. The work ends with its reader, and the stream with the rights of its reader. Throws
 * RateLimitedError for one stream too many.
 */
export function streamWork<Event>(
  { ctx, request, recheck }: Streamed,
  { work, failed, barred }: Work<Event>,
): Response {
  const leavePlace = takeStreamPlace(readerOf(ctx))
  const stopping = new AbortController()
  const signal = AbortSignal.any([request.signal, shutdownSignal, stopping.signal])
  let isOpen = true
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (isOpen) controller.enqueue(encoder.encode(text))
      }
      const send = (event: Event) => write(`data: ${JSON.stringify(event)}\n\n`)
      const close = () => {
        // A reader that has gone closed it already.
        if (isOpen) controller.close()
        isOpen = false
      }
      const end = (event: Event) => {
        send(event)
        close()
      }
      const look = async () => {
        if ((await recheck()) !== null) return
        end(barred())
        stopping.abort()
      }
      const timers = [setInterval(() => write(':\n\n'), heartbeatMs), setInterval(look, recheckMs)]
      void work(send, signal)
        // The reader of stopped work has gone, or got the last event.
        .then(end, (error: unknown) => (signal.aborted ? close() : end(failed(error))))
        .finally(() => {
          for (const timer of timers) clearInterval(timer)
          leavePlace()
        })
    },
    cancel: () => {
      isOpen = false
      stopping.abort()
    },
  })
  return new Response(body, { headers: eventStreamHeaders })
}
