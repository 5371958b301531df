import { endOf, isDelta, type RunUpdate } from '@/lib/protocol/run/run-delta'

/** Returns the events of a server-sent stream until it ends, or until `goOn` returns false. */
export async function readSse(
  response: Response,
  goOn: (event: RunUpdate) => boolean = () => true,
): Promise<RunUpdate[]> {
  const events: RunUpdate[] = []
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

/** Comments and `retry:` are no events. The id has to be the event's own number, or say where a piece ends. */
function toEvent(frame: string): RunUpdate[] {
  const lines = new Map(frame.split('\n').map((line) => splitAt(line, ': ')))
  const data = lines.get('data')
  if (data === undefined) return []
  const event: RunUpdate = JSON.parse(data)
  const id = lines.get('id') ?? ''
  const isRight = isDelta(event)
    ? /^\d+$/.test(id.replace(`.${event.data.round}.${endOf(event)}`, ''))
    : id === String(event.seq)
  if (!isRight) throw new Error(`Wrong id: ${frame}`)
  return [event]
}

function splitAt(line: string, separator: string): [string, string] {
  const index = line.indexOf(separator)
  return [line.slice(0, index), line.slice(index + separator.length)]
}
