import type { ActionError, ActionResult } from '@/lib/next/action'

type WorkRequest = { body?: object; signal: AbortSignal }

/**
 * Posts to a route that streams its work, and returns the events as they come. The work ends when `signal` aborts. Throws what
 * `fetch` does.
 */
export async function streamedWork<Event>(
  address: string,
  { body, signal }: WorkRequest,
): Promise<ActionResult<AsyncGenerator<Event>>> {
  const sent = body && {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(address, { method: 'POST', signal, ...sent })
  if (!response.ok || !response.body) return { ok: false, error: refusalOf(await response.text()) }
  return { ok: true, value: eventsOf(response.body) }
}

/** Returns the error of an answer, which is problem details. */
function refusalOf(text: string): ActionError {
  const { type = '', detail = '', errors }: Problem = JSON.parse(text)
  return { code: type.split(':').at(-1) ?? '', message: detail, ...(errors && { fields: errors }) }
}

type Problem = { type?: string; detail?: string; errors?: Record<string, string> }

/** Yields the events of a stream, each of which is one line of data. */
async function* eventsOf<Event>(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Event> {
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
