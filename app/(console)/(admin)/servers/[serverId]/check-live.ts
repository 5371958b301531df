import type { CheckEvent } from '@toolgate/server/doors/stream-check'
import type { CheckLine, CheckOutcome } from '@toolgate/server/toolset/servers/check'
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
  const response = await fetch(`/api/servers/${id}/check`, { method: 'POST', signal })
  if (!response.ok || !response.body) return refusalOf(await response.text())
  for await (const event of eventsOf(response.body)) {
    if (event.type === 'line') onLine(event.line)
    else if (event.type === 'outcome') return { ok: true, value: event.outcome }
    else return { ok: false, error: { code: 'failed', message: event.message } }
  }
  throw new TypeError('The check ended without an answer.')
}

/** Returns the error of an answer, which is problem details. */
function refusalOf(text: string): ActionResult<never> {
  const { type = '', detail = '' }: { type?: string; detail?: string } = JSON.parse(text)
  return { ok: false, error: { code: type.split(':').at(-1) ?? '', message: detail } }
}

/** Yields the events of a stream, each of which is one line of data. */
async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<CheckEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = `${rest}${value}`.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6))
  }
}
