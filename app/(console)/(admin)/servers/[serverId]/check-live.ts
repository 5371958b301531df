import type { CheckEvent } from '@toolgate/server/doors/stream-check'
import type { CheckLine, CheckOutcome } from '@toolgate/server/toolset/servers/check'
import { streamedWork } from '@/components/forms/streamed-work'
import type { ActionResult } from '@/lib/next/action'

export type Outcome = Omit<CheckOutcome, 'lines'>

type Watch = { onLine: (line: CheckLine) => void; signal: AbortSignal }

/**
 * Checks a server and returns what came of it; `onLine` gets each message as it passes. The check ends when `signal` aborts.
 * Throws what `fetch` does, and TypeError when the server breaks off.
 */
export async function checkLive(
  id: string,
  { onLine, signal }: Watch,
): Promise<ActionResult<Outcome>> {
  const opened = await streamedWork<CheckEvent>(`/api/servers/${id}/check`, { signal })
  if (!opened.ok) return opened
  for await (const event of opened.value) {
    if (event.type === 'line') onLine(event.line)
    else if (event.type === 'outcome') return { ok: true, value: event.outcome }
    else return { ok: false, error: { code: 'failed', message: event.message } }
  }
  throw new TypeError('The check ended without an answer.')
}
