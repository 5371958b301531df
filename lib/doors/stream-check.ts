import 'server-only'
import { eventStreamHeaders, heartbeatMs, recheckMs } from '@/lib/edge/event-stream'
import type { Ctx } from '@/lib/kernel/context'
import { describeError } from '@/lib/kernel/describe-error'
import { shutdownSignal } from '@/lib/kernel/shutdown'
import { readerOf, takeStreamPlace } from '@/lib/runs/journal/stream-places'
import { type CheckLine, type CheckOutcome, watchedCheck } from '@/lib/toolset/servers/check'

/** Event of a server's check: each message, then the result, or the reason why it was not checked. */
export type CheckEvent =
  | { type: 'line'; line: CheckLine }
  | { type: 'outcome'; outcome: Omit<CheckOutcome, 'lines'> }
  | { type: 'failed'; message: string }

type Checked = {
  ctx: Ctx
  id: string
  request: Request
  /** Authenticates again; null = no longer allowed. */
  recheck: () => Promise<Ctx | null>
}

const barredWords =
  'The check was stopped, because you are signed out or may not check servers any more.'

/**
 * Checks a server and streams what passes. The check ends with its reader, and the stream with the rights of its reader. Throws
 * RateLimitedError for one stream too many.
 */
export function streamCheck({ ctx, id, request, recheck }: Checked): Response {
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
      const send = (event: CheckEvent) => write(`data: ${JSON.stringify(event)}\n\n`)
      const end = (event: CheckEvent) => {
        send(event)
        // A reader that has gone closed it already.
        if (isOpen) controller.close()
        isOpen = false
      }
      const look = async () => {
        if ((await recheck()) !== null) return
        end({ type: 'failed', message: barredWords })
        stopping.abort()
      }
      const timers = [setInterval(() => write(':\n\n'), heartbeatMs), setInterval(look, recheckMs)]
      const check = watchedCheck({ onLine: (line) => send({ type: 'line', line }), signal })
      void check(ctx, { id })
        .then(
          ({ lines: _, ...outcome }) => end({ type: 'outcome', outcome }),
          (error: unknown) =>
            end({ type: 'failed', message: describeError(error, 'server-check').message }),
        )
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
