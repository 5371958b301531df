import type { RunEvent } from '@/lib/protocol/run-event'

/** Returns the events of a server-sent stream until it ends, or until `goOn` returns false. */
export async function readSse(
  response: Response,
  goOn: (event: RunEvent) => boolean = () => true,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  let rest = ''
  if (!response.body) throw new Error(`There is no stream: ${response.status}.`)
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + chunk).split('\n\n')
    rest = frames.pop() ?? ''
    for (const event of frames.flatMap(toEvent)) {
      events.push(event)
      if (!goOn(event)) return events
    }
  }
  return events
}

/** Comments and `retry:` are no events. The id has to be the event's own number. */
function toEvent(frame: string): RunEvent[] {
  const lines = new Map(frame.split('\n').map((line) => splitAt(line, ': ')))
  const data = lines.get('data')
  if (data === undefined) return []
  const event: RunEvent = JSON.parse(data)
  if (lines.get('id') !== String(event.seq)) throw new Error(`Wrong id: ${frame}`)
  return [event]
}

function splitAt(line: string, separator: string): [string, string] {
  const index = line.indexOf(separator)
  return [line.slice(0, index), line.slice(index + separator.length)]
}
