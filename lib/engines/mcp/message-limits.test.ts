import { expect, test } from 'vitest'
import { limitedBody, lineReader, trafficLimit } from './message-limits'

const encoder = new TextEncoder()

/** Returns the pieces in which a stream of events is passed on. */
async function passedOn(...pieces: string[]): Promise<string[]> {
  async function* body() {
    for (const piece of pieces) yield encoder.encode(piece)
  }
  const limits = { isEventStream: true, count: trafficLimit(), onTrouble: () => undefined }
  const passed: string[] = []
  for await (const chunk of limitedBody(body(), limits)) {
    passed.push(Buffer.from(chunk).toString())
  }
  return passed
}

test.each(['\n\n', '\r\n\r\n', '\r\r'])(
  'an event that ends with %j is passed on whole',
  async (end) => {
    const [first = '', second = ''] = [end.slice(0, 1), end.slice(1)]
    expect(await passedOn('data: ', `a${first}`, `${second}data: b`, end, 'data: c')).toEqual([
      `data: a${end}`,
      `data: b${end}`,
      'data: c',
    ])
  },
)

test('a line may come in any pieces', () => {
  const read = lineReader()
  const lines = ['{"a":', '1}\n{"b"', ':2}\r', '\n\n'].flatMap((piece) =>
    read(encoder.encode(piece)),
  )
  expect(lines).toEqual(['{"a":1}', '{"b":2}', ''])
})
