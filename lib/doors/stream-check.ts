import 'server-only'
import { describeError } from '@/lib/kernel/describe-error'
import { type CheckLine, type CheckOutcome, watchedCheck } from '@/lib/toolset/servers/check'
import { type Streamed, streamWork } from './stream-work'

/** Event of a server's check: each message, then the result, or the reason why it was not checked. */
export type CheckEvent =
  | { type: 'line'; line: CheckLine }
  | { type: 'outcome'; outcome: Omit<CheckOutcome, 'lines'> }
  | { type: 'failed'; message: string }

const barredWords =
  'The check was stopped, because you are signed out or may not check servers any more.'

/** Checks a server and streams what passes, as `streamWork` does. */
export function streamCheck({ id, ...reader }: Streamed & { id: string }): Response {
  return streamWork<CheckEvent>(reader, {
    work: async (send, signal) => {
      const check = watchedCheck({ onLine: (line) => send({ type: 'line', line }), signal })
      const { lines: _, ...outcome } = await check(reader.ctx, { id })
      return { type: 'outcome', outcome }
    },
    failed: (error) => ({ type: 'failed', message: describeError(error, 'server-check').message }),
    barred: () => ({ type: 'failed', message: barredWords }),
  })
}
