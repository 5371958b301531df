/** No provider sends a line near this; it bounds what a hostile one can make us hold. */
export const longestLine = 16 * 1024 * 1024

export class LineTooLongError extends Error {
  readonly code = 'LINE_TOO_LONG'

  constructor() {
    super(`A line of the answer is longer than ${longestLine} characters.`)
    this.name = 'LineTooLongError'
  }
}

/**
 * Splits a byte stream into lines, however the bytes were cut: CRLF, LF and CR all end a line and a UTF-8
 * character may arrive in pieces. `push` returns the lines that are whole; `end` returns what was left over.
 */
export function createLineSplitter() {
  const decoder = new TextDecoder()
  let parts: string[] = []
  let held = 0
  let skipNewline = false

  function take(text: string): string[] {
    const lines: string[] = []
    const nextBreak = text.includes('\r') ? nextCarriageOrNewline : nextNewline
    let start = skipNewline && text.startsWith('\n') ? 1 : 0
    if (text.length > 0) skipNewline = false
    for (let at = nextBreak(text, start); at !== -1; at = nextBreak(text, start)) {
      lines.push(
        parts.length === 0 ? text.slice(start, at) : parts.join('') + text.slice(start, at),
      )
      if (parts.length > 0) parts = []
      held = 0
      start = at + 1
      if (text.charCodeAt(at) !== 13) continue
      if (start === text.length) skipNewline = true
      else if (text.charCodeAt(start) === 10) start += 1
    }
    if (start < text.length) hold(text.slice(start))
    return lines
  }

  function hold(rest: string) {
    parts.push(rest)
    held += rest.length
    if (held > longestLine) throw new LineTooLongError()
  }

  return {
    push: (bytes: Uint8Array): string[] => take(decoder.decode(bytes, { stream: true })),
    end: (): string[] => {
      const lines = take(decoder.decode())
      if (parts.length > 0) lines.push(parts.join(''))
      parts = []
      return lines
    },
  }
}

const carriageOrNewline = /[\r\n]/g

function nextNewline(text: string, from: number): number {
  return text.indexOf('\n', from)
}

function nextCarriageOrNewline(text: string, from: number): number {
  carriageOrNewline.lastIndex = from
  return carriageOrNewline.exec(text)?.index ?? -1
}
