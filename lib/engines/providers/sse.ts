import { createLineSplitter, LineTooLongError, longestLine } from './line-splitter'

/** One server-sent event: its name ('' when unnamed) and its data lines joined by a newline. */
export type ServerSentEvent = { event: string; data: string }

/**
 * Parses server-sent events as the standard says, with one leniency: an event that the end of the stream cuts
 * before its blank line is still given, since its JSON tells whether it was whole.
 */
export function createSseParser() {
  const splitter = createLineSplitter()
  let event = ''
  let data: string[] = []
  let held = 0

  function read(lines: string[]): ServerSentEvent[] {
    const events: ServerSentEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(flush())
        event = ''
        continue
      }
      readField(line)
    }
    return events
  }

  function readField(line: string) {
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5)
      data.push(value)
      held += value.length
      if (held > longestLine) throw new LineTooLongError()
      return
    }
    if (line.startsWith('event:')) event = line.slice(line.charCodeAt(6) === 32 ? 7 : 6)
  }

  function flush(): ServerSentEvent {
    const whole = { event, data: data.length === 1 ? (data[0] ?? '') : data.join('\n') }
    data = []
    held = 0
    return whole
  }

  return {
    push: (bytes: Uint8Array): ServerSentEvent[] => read(splitter.push(bytes)),
    end: (): ServerSentEvent[] => {
      const events = read(splitter.end())
      if (data.length > 0) events.push(flush())
      return events
    },
  }
}
