import { describe, expect, it } from 'vitest'
import { mostGrowth, timeGrowth } from '@/tests/support/time-growth'
import { createSseParser, LineTooLongError } from './read-events'

function parse(...pieces: string[]) {
  const parser = createSseParser()
  const events = pieces.flatMap((piece) => parser.push(Buffer.from(piece)))
  return [...events, ...parser.end()]
}

describe('createSseParser', () => {
  it('joins data lines and names events', () => {
    expect(parse('event: a\ndata: 1\ndata:2\n\n', 'data:  3\n\n')).toEqual([
      { event: 'a', data: '1\n2' },
      { event: '', data: ' 3' },
    ])
  })

  it('ignores comments, unknown fields, events without data and a byte order mark', () => {
    expect(parse('\ufeff: hi\n\nid: 1\nretry: 2\nnonsense\nevent: x\n\ndata: 1\n\n')).toEqual([
      { event: '', data: '1' },
    ])
  })

  it.each([
    ['CR', 'data: 1\r\rdata: 2\r\r'],
    ['CRLF', 'data: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['mixed', 'data: 1\r\n\ndata: 2\n\r'],
  ])('takes %s as line ends, also when cut between them', (_, text) => {
    const expected = [
      { event: '', data: '1' },
      { event: '', data: '2' },
    ]
    expect(parse(text)).toEqual(expected)
    expect(parse(...text)).toEqual(expected)
  })

  it('puts characters together that were cut apart', () => {
    const parser = createSseParser()
    const bytes = Buffer.from('data: 🙂ü\n\n')
    const events = [...bytes].flatMap((byte) => parser.push(Uint8Array.of(byte)))
    expect(events).toEqual([{ event: '', data: '🙂ü' }])
  })

  it('refuses to hold a line without end', () => {
    const parser = createSseParser()
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    expect(() => {
      for (let i = 0; i < 20; i++) parser.push(chunk)
    }).toThrow(LineTooLongError)
  })

  it('reads a long line in small pieces in linear time', () => {
    const piece = Buffer.from('x'.repeat(7))
    const read = (pieces: number) => {
      const parser = createSseParser()
      parser.push(Buffer.from('data: '))
      for (let i = 0; i < pieces; i++) parser.push(piece)
      const [event] = parser.push(Buffer.from('\n\n'))
      expect(event?.data).toHaveLength(7 * pieces)
    }
    expect(timeGrowth(64_000, (pieces) => pieces, read)).toBeLessThan(mostGrowth)
  })
})
