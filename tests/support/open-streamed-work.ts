import type { Streamed } from '@/lib/doors/stream-work'
import type { Ctx } from '@/lib/kernel/context'

/**
 * Opens streamed work as a page does. `next` reads one event, null = the stream has ended; `rest` reads all that follow; `leave`
 * closes the page.
 */
export function openStreamedWork<Event>(
  ctx: Ctx,
  answer: (reader: Streamed) => Response,
  recheck: Streamed['recheck'] = async () => ctx,
) {
  const left = new AbortController()
  const request = new Request('http://localhost/', { method: 'POST', signal: left.signal })
  const { body, headers } = answer({ ctx, request, recheck })
  const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  const waiting: Event[] = []
  const next = async (): Promise<Event | null> => {
    for (;;) {
      const event = waiting.shift()
      if (event) return event
      const { value, done } = await reader.read()
      if (done) return null
      const blocks = value.split('\n\n').filter((block) => block.startsWith('data: '))
      waiting.push(...blocks.map((block): Event => JSON.parse(block.slice(6))))
    }
  }
  const rest = async (): Promise<Event[]> => {
    const events: Event[] = []
    for (let event = await next(); event; event = await next()) events.push(event)
    return events
  }
  return { headers, next, rest, leave: () => left.abort() }
}
