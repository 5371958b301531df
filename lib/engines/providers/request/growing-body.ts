import type { ModelRequest } from '@/lib/protocol/model/message'

/** The items of a conversation as bytes with commas between them, and room before and after them. */
type Growing = { items: readonly Buffer[]; ends: number[]; bytes: Buffer; start: number }

/** One body: what stands before the items of its conversation, these items, and what stands after them. */
export type BodyParts = { head: Buffer; items: readonly Buffer[]; tail: Buffer }

export type BodyMaker = (parts: BodyParts) => Buffer

/** A shorter conversation is copied: what is kept lives until memory is cleaned up thoroughly, and costs more. */
const worthKeeping = 128 * 1024
const comma = 0x2c

/**
 * Returns a function that sends one request of a conversation, with a body that grows with it: only what is new is
 * copied. The next body of the conversation changes what stands before and after its items, so a body is for one
 * request, until the head of its answer came. A second request meanwhile gets a copy of its own. What a server that
 * answers early still reads belongs to the same conversation with the same connection.
 */
export function createBodies() {
  const known = new WeakMap<object, Growing>()
  const sent = new WeakSet<object>()
  return async <T>(conversation: object, send: (make: BodyMaker) => Promise<T>): Promise<T> => {
    if (sent.has(conversation)) return send(freshBody)
    sent.add(conversation)
    try {
      return await send((parts) => {
        const before = known.get(conversation)
        if (!before && lengthOf(parts.items) < worthKeeping) return freshBody(parts)
        const growing = withRoom(before, parts)
        known.set(conversation, growing)
        return bodyIn(growing, parts)
      })
    } finally {
      sent.delete(conversation)
    }
  }
}

/** Returns what stands for the conversation of a request: its first message is the same object in every round. */
export function conversationOf(request: ModelRequest): object {
  return request.messages[0] ?? request
}

/** Returns a body in bytes of its own. */
export function freshBody(parts: BodyParts): Buffer {
  return bodyIn(withRoom(undefined, parts, 1), parts)
}

function bodyIn(growing: Growing, { head, items, tail }: BodyParts): Buffer {
  append(growing, items)
  const { bytes, start } = growing
  const end = endOf(growing)
  head.copy(bytes, start - head.length)
  tail.copy(bytes, end)
  return bytes.subarray(start - head.length, end + tail.length)
}

/** Returns the bytes with the items that stay, and with `times` the room that the rest of the body needs. */
function withRoom(
  known: Growing | undefined,
  { head, items, tail }: BodyParts,
  times = 2,
): Growing {
  const same = known ? commonItems(known.items, items) : 0
  const more = lengthOf(items.slice(same))
  if (known) {
    known.ends.length = same
    const fits = endOf(known) + more + tail.length <= known.bytes.length
    if (fits && head.length <= known.start) return known
  }
  const kept = known ? known.bytes.subarray(known.start, endOf(known)) : Buffer.alloc(0)
  const start = times * head.length
  const size = start + times * (kept.length + more) + tail.length
  const bytes = Buffer.allocUnsafeSlow(size)
  kept.copy(bytes, start)
  const ends = known ? known.ends.map((end) => end - known.start + start) : []
  return { items, ends, bytes, start }
}

/** Returns the bytes of items with a comma each. */
function lengthOf(items: readonly Buffer[]): number {
  return items.reduce((sum, item) => sum + item.length + 1, 0)
}

function commonItems(one: readonly Buffer[], other: readonly Buffer[]): number {
  let same = 0
  while (same < one.length && same < other.length && one[same] === other[same]) same++
  return same
}

function append(growing: Growing, items: readonly Buffer[]): void {
  const { ends, bytes } = growing
  growing.items = items
  for (let index = ends.length; index < items.length; index++) {
    let at = endOf(growing)
    if (index > 0) at = bytes.writeUInt8(comma, at)
    ends.push(at + (items[index]?.copy(bytes, at) ?? 0))
  }
}

function endOf({ ends, start }: Growing): number {
  return ends.at(-1) ?? start
}
