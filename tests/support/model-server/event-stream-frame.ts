import { crc32 } from 'node:zlib'

/**
 * Returns one message of an Amazon event stream, by the protocol's description: lengths, text headers, payload, and
 * checksums of the lengths and of everything.
 */
export function eventStreamFrame(
  headers: Readonly<Record<string, string>>,
  payload: Buffer,
): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const [key, text] = [Buffer.from(name), Buffer.from(value)]
      const length = Buffer.alloc(2)
      length.writeUInt16BE(text.length)
      return Buffer.concat([Buffer.from([key.length]), key, Buffer.from([7]), length, text])
    }),
  )
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32BE(16 + head.length + payload.length, 0)
  lengths.writeUInt32BE(head.length, 4)
  const message = Buffer.concat([lengths, checksum(lengths), head, payload])
  return Buffer.concat([message, checksum(message)])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

/** Returns an event of the Converse API. */
export function converseEvent(type: string, body: object): Buffer {
  const headers = {
    ':event-type': type,
    ':content-type': 'application/json',
    ':message-type': 'event',
  }
  return eventStreamFrame(headers, Buffer.from(JSON.stringify(body)))
}

/** Returns a failure that is reported inside a stream. */
export function converseException(type: string, message: string): Buffer {
  const headers = {
    ':exception-type': type,
    ':content-type': 'application/json',
    ':message-type': 'exception',
  }
  return eventStreamFrame(headers, Buffer.from(JSON.stringify({ message })))
}
