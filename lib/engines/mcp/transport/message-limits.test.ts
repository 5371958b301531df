import { expect, test } from 'vitest'
import { limitedBody, lineReader, trafficLimit } from './message-limits'

const encoder = new TextEncoder()

/** Returns the pieces in which a stream of events is passed on. */
async function passedOn(...pieces: string[]): Promise<string[]> {
  async function* body() {
    for (const piece of pieces) yield encoder.encode(piece)
  }
  const limits = { isEventStream: true, count: trafficLimit(), onError: () => undefined }
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

const nested = (levels: number) => ['['.repeat(levels), ']'.repeat(levels)] as const

/** Returns an event whose data is nested so often 60 levels, with these lines between its lines. */
function deepEvent(times: number, opened: string, closed: string): string {
  const [open, close] = nested(60)
  const down = `data: ${open}\n${opened}\n`.repeat(times)
  return `: begun\n${down}${`data: ${close}\n${closed}\n`.repeat(times)}\n`
}

test.each([
  [': ]]]', ': [[['],
  ['event: ]]]', 'event: [[['],
  ['id: ]]]', 'id: [[['],
  ['datum: ]]]', 'dat: [[['],
  ['data', 'data:'],
])('lines between those of a message hide no levels of it: %s', async (opened, closed) => {
  const lines = [
    opened.replace(']]]', nested(60)[1]),
    closed.replace('[[[', nested(60)[0]),
  ] as const
  await expect(passedOn(deepEvent(2, ...lines))).rejects.toThrow('nested too deeply')
  expect(await passedOn(deepEvent(1, ...lines))).toEqual([deepEvent(1, ...lines)])
})

test('brackets that close nothing make no room for others', async () => {
  const [open, close] = nested(60)
  const text = `data: ${close}${open}${open}${close}${close}\n\n`
  await expect(passedOn(text)).rejects.toThrow('nested too deeply')
  expect(() => lineReader()(encoder.encode(`${close}${open}${open}`))).toThrow('nested too deeply')
})

test('text before the first line does not hide the levels of that line', async () => {
  const [open] = nested(65)
  await expect(passedOn(`\uFEFFdata: ${open}\n\n`)).rejects.toThrow('nested too deeply')
})

test('a line may come in any pieces', () => {
  const read = lineReader()
  const lines = ['{"a":', '1}\n{"b"', ':2}\r', '\n\n'].flatMap((piece) =>
    read(encoder.encode(piece)),
  )
  expect(lines).toEqual(['{"a":1}', '{"b":2}', ''])
})
