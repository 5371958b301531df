import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cutsByLine,
  expectResult,
  expectSameOrClean,
  inPieces,
  read,
} from './__fixtures__/read-recording'
import { bytesOf, recordings, usage } from './__fixtures__/recordings'

describe.each(recordings)('%s: %s', (wire, file, expected) => {
  const bytes = bytesOf(file)
  const whole = read(wire, [bytes])

  it('reads the recording', () => expectResult(whole, expected))

  it('reads the same in pieces of 1 and 7 bytes', () => {
    expect(read(wire, inPieces(bytes, 1))).toEqual(whole)
    expect(read(wire, inPieces(bytes, 7))).toEqual(whole)
  })

  it('reads the same with CRLF line ends, whole and in pieces', () => {
    const crlf = Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'))
    for (const size of [crlf.length, 1, 7]) expect(read(wire, inPieces(crlf, size))).toEqual(whole)
  })

  it('gives a part or an error, never half a call, wherever it is cut', () => {
    // The time grows with the square of the length, so long answers are cut about the ends of their lines.
    const places = bytes.length < 1_500 ? bytes.keys() : cutsByLine(bytes)
    for (const at of places) expectSameOrClean(read(wire, [bytes.subarray(0, at)]), whole)
  })

  it('gives the same or an error with garbage between any two lines', () => {
    const lines = bytes.toString('utf8').split(/(?<=\n)/)
    const garbage = [
      'garbage\n',
      ': comment\n',
      'data: {"half\n\n',
      'data: <html>\n\n',
      'id: 5\n',
      '\u0000\ufffd\n',
      'data: [1]\n\n',
      '{"half\n',
      'null\n',
    ]
    for (const noise of garbage) {
      for (let at = 0; at <= lines.length; at++) {
        const noisy = lines.toSpliced(at, 0, noise).join('')
        expectSameOrClean(read(wire, [Buffer.from(noisy)]), whole)
      }
    }
  })

  it('reads the same however it is cut, and never throws when bytes are damaged', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 })
    fc.assert(
      fc.property(cuts, (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length]
        const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
        expect(read(wire, pieces)).toEqual(whole)
      }),
    )
    const place = fc.integer({ min: 0, max: bytes.length - 1 })
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), (at, value) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = value
        read(wire, [damaged])
      }),
      { numRuns: 300 },
    )
  })
})

describe('what may go to another account (SPEC R15c)', () => {
  it.each([
    ['anthropic', 'anthropic-thinking-calls.sse', ['EqQBCgIYAhIM', 'EmwKAhgBEgy3']],
    ['openai', 'responses-reasoning-calls.sse', ['gAAAAABpPDIVOKrs']],
    ['gemini', 'gemini-thinking-calls.sse', ['thoughtSignature']],
  ] as const)('has nothing that %s signed or sealed', (wire, file, secrets) => {
    const { finish } = read(wire, [bytesOf(file)])
    const { native, ...portable } = finish ?? {}
    for (const secret of secrets) {
      expect(native).toContain(secret)
      expect(JSON.stringify(portable)).not.toContain(secret)
    }
  })
})

describe('a cut answer of anthropic', () => {
  it('keeps what the provider counted as read and estimates what it wrote', () => {
    const events = bytesOf('anthropic-thinking-calls.sse')
      .toString('utf8')
      .split(/(?<=\n\n)/)
    const { finish } = read('anthropic', [Buffer.from(events.slice(0, 11).join(''))])
    expect(finish).toMatchObject({ finishReason: 'cut', toolCalls: [] })
    expect(finish?.usage).toEqual({
      ...usage(2009, 9, 1800, 188),
      estimated: true,
      serviceTier: 'standard',
    })
  })
})
