import { crc32, deflateSync } from 'node:zlib'

/** Returns a PNG chunk: length, type, data and checksum. */
function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

/** Returns a square of one colour as a PNG image. */
function square(size, rgb) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: size }, () => rgb)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const parts = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([start, ...parts])
}

/** A result with an image that depends on its arguments alone, so that a test knows its bytes. */
export default {
  name: 'draw_square',
  description: 'Draws a square of one colour.',
  group: 'extra',
  parameters: {
    type: 'object',
    properties: {
      colour: { type: 'string', pattern: '^[0-9a-f]{6}$' },
      size: { type: 'integer', minimum: 1, maximum: 1000 },
    },
    required: ['colour'],
    additionalProperties: false,
  },
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'internal-config',
  timeoutMs: 10_000,
  execute: async ({ colour, size = 32 }) => ({
    content: `A square of the colour ${colour}.`,
    images: [{ data: square(size, Buffer.from(colour, 'hex')), name: `${colour}.png` }],
  }),
}
