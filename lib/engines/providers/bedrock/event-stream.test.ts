import { expect, it } from 'vitest'
import { inPieces } from '@/lib/engines/providers/__fixtures__/read-recording'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { eventStreamFrame } from '@/tests/support/model-server/event-stream-frame'
import { createEventStreamParser } from './event-stream'

// The test vectors of Amazon's own readers (aws-sdk-go-v2, aws/protocol/eventstream/testdata; read on 2026-11-23).
const positive: [name: string, hex: string, headers: Record<string, string>, payload: string][] = [
  ['empty_message', '000000100000000005c248eb7d98c8ff', {}, ''],
  [
    'payload_no_headers',
    '0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936',
    {},
    "{'foo':'bar'}",
  ],
  [
    'payload_one_str_header',
    '0000003d0000002007fd83960c636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e7b27666f6f273a27626172277d8d9c08b1',
    { 'content-type': 'application/json' },
    "{'foo':'bar'}",
  ],
  [
    'int32_header',
    '0000002d0000001041c424b80a6576656e742d74797065040000a00c7b27666f6f273a27626172277d36f480a0',
    {},
    "{'foo':'bar'}",
  ],
]

const bytesOf = (name: string) =>
  Buffer.from(positive.find(([own]) => own === name)?.[1] ?? '', 'hex')

it.each(positive)('reads %s, whole and byte by byte', (_name, hex, headers, payload) => {
  const bytes = Buffer.from(hex, 'hex')
  for (const pieces of [[bytes], inPieces(bytes, 1)]) {
    const parse = createEventStreamParser()
    const messages = pieces.flatMap((piece) => parse(piece))
    expect(messages).toHaveLength(1)
    expect(Object.fromEntries(messages[0]?.headers ?? [])).toEqual(headers)
    expect(messages[0]?.payload.toString()).toBe(payload)
  }
})

it('writes in the tests what Amazon writes', () => {
  const frame = eventStreamFrame(
    { 'content-type': 'application/json' },
    Buffer.from("{'foo':'bar'}"),
  )
  expect(frame.equals(bytesOf('payload_one_str_header'))).toBe(true)
})

it('reads messages that follow one another in any pieces', () => {
  const names = positive.map(([name]) => name)
  const bytes = Buffer.concat(names.map(bytesOf))
  for (let size = 1; size <= bytes.length; size++) {
    const parse = createEventStreamParser()
    expect(inPieces(bytes, size).flatMap((piece) => parse(piece))).toHaveLength(names.length)
  }
})

it('refuses a message of which any one bit was changed', () => {
  const good = bytesOf('payload_one_str_header')
  for (let at = 0; at < good.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const bytes = Buffer.from(good)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
      expect(() => createEventStreamParser()(bytes)).toThrow(WireFailure)
    }
  }
})

it('refuses lengths that do not add up, however right their checksums are', () => {
  const header = eventStreamFrame({ ':message-type': 'event' }, Buffer.alloc(0))
  // The name of the header says that it is longer than all headers.
  const headers = Buffer.from(header.subarray(12, header.length - 4))
  headers.writeUInt8(200, 0)
  const lying = eventStreamFrame({}, headers)
  expect(createEventStreamParser()(lying)).toHaveLength(1)
  const text = Buffer.from('data: {"not": "an event stream of this kind"}\n\n')
  expect(() => createEventStreamParser()(text)).toThrow(/does not match this API type/)
})
