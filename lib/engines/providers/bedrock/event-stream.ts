import { crc32 } from 'node:zlib'
import { checkWire } from '@/lib/engines/providers/failures/connection-advice'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'

/** One message of an Amazon event stream: its headers that are text, and its payload. */
export type StreamMessage = { headers: ReadonlyMap<string, string>; payload: Buffer }

const preludeBytes = 12
const checksumBytes = 4
/** Limits of the protocol. A larger number in the length field means that the stream is not in this format. */
const largestMessage = 24 * 1024 * 1024
const largestHeaders = 128 * 1024

/**
 * Splits the bytes of `application/vnd.amazon.eventstream` into messages, however they were cut. Both checksums of each
 * message are checked: a damaged one may have carried a piece of an argument. Throws WireFailure.
 */
export function createEventStreamParser() {
  let parts: Uint8Array[] = []
  let held = 0
  let wanted = preludeBytes

  return (bytes: Uint8Array): StreamMessage[] => {
    parts.push(bytes)
    held += bytes.length
    if (held < wanted) return []
    let rest = Buffer.concat(parts)
    const messages: StreamMessage[] = []
    for (;;) {
      wanted = preludeBytes
      if (rest.length < wanted) break
      wanted = messageLength(rest)
      if (rest.length < wanted) break
      messages.push(readMessage(rest.subarray(0, wanted)))
      rest = rest.subarray(wanted)
    }
    parts = [rest]
    held = rest.length
    return messages
  }
}

function messageLength(bytes: Buffer): number {
  const total = bytes.readUInt32BE(0)
  const headers = bytes.readUInt32BE(4)
  const isSound =
    crc32(bytes.subarray(0, 8)) === bytes.readUInt32BE(8) &&
    total <= largestMessage &&
    headers <= largestHeaders &&
    total >= preludeBytes + headers + checksumBytes
  if (!isSound) throw damaged(bytes)
  return total
}

function readMessage(bytes: Buffer): StreamMessage {
  const end = bytes.length - checksumBytes
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw damaged(bytes)
  const headersEnd = preludeBytes + bytes.readUInt32BE(4)
  const headers = readHeaders(bytes.subarray(preludeBytes, headersEnd))
  if (!headers) throw damaged(bytes)
  return { headers, payload: bytes.subarray(headersEnd, end) }
}

/** Length of a value in bytes, by its type; null: the value carries its own length. */
const valueBytes = [0, 0, 1, 2, 4, 8, null, null, 8, 16] as const
const textType = 7

/** Returns the headers; null when their lengths are wrong. */
function readHeaders(bytes: Buffer): Map<string, string> | null {
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at)
    if (nameEnd + 1 > bytes.length) return null
    const name = bytes.toString('utf8', at + 1, nameEnd)
    const type = bytes.readUInt8(nameEnd)
    const fixed = valueBytes[type]
    if (fixed === undefined || (fixed === null && nameEnd + 3 > bytes.length)) return null
    const start = nameEnd + (fixed === null ? 3 : 1)
    const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
    if (end > bytes.length) return null
    if (type === textType) headers.set(name, bytes.toString('utf8', start, end))
    at = end
  }
  return headers
}

function damaged(bytes: Buffer): WireFailure {
  return new WireFailure(
    'invalid-response',
    `The provider sent something that does not match this API type. Try again. ${checkWire}`,
    { received: bytes.subarray(0, 500).toString('latin1') },
  )
}
