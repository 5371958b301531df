import type { JsonValue } from '@/lib/protocol/tool'

/** The most bytes of UTF-8 that a result may have in the conversation and the journal (SPEC T5). */
export const maxResultBytes = 64 * 1024

/** Bytes for the longest mark that says what was cut. */
const markBytes = 80

export type Truncated = { content: string; truncated: boolean; originalBytes: number }

/**
 * Truncates a result to at most `maxBytes` of UTF-8, by its type and valid to the end (SPEC T5): text keeps a prefix,
 * an array its first items, any other JSON a prefix of its text inside an object. `text` is the whole result from
 * `resultText`.
 */
export function truncate(value: JsonValue, text: string, maxBytes = maxResultBytes): Truncated {
  const originalBytes = Buffer.byteLength(text)
  if (originalBytes <= maxBytes) return { content: text, truncated: false, originalBytes }
  return { content: cut(value, text, originalBytes, maxBytes), truncated: true, originalBytes }
}

function cut(value: JsonValue, text: string, originalBytes: number, maxBytes: number): string {
  const room = maxBytes - markBytes
  if (typeof value === 'string') {
    return `${cutText(text, room)}\n[truncated: ${originalBytes} bytes in all]`
  }
  if (Array.isArray(value)) return cutArray(value, room)
  return JSON.stringify({ _truncatedJson: cutJsonText(text, room), originalBytes })
}

/** Returns the longest prefix of at most `maxBytes` of UTF-8 that splits no character. */
export function cutText(text: string, maxBytes: number): string {
  // No character is shorter than a byte, so nothing after `maxBytes` code units can be kept.
  const bytes = Buffer.from(text.slice(0, maxBytes))
  let end = Math.min(bytes.length, maxBytes)
  while (end > 0 && end < bytes.length && isContinuation(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function cutArray(items: readonly JsonValue[], room: number): string {
  const kept: string[] = []
  let used = 0
  for (const item of items) {
    const text = JSON.stringify(item) ?? 'null'
    used += Buffer.byteLength(text) + 1
    if (used > room) break
    kept.push(text)
  }
  kept.push(JSON.stringify({ _truncated: true, originalCount: items.length }))
  return `[${kept.join(',')}]`
}

/** Returns the longest prefix of JSON text that has at most `maxBytes` as a JSON string. */
function cutJsonText(text: string, maxBytes: number): string {
  let used = 0
  let end = 0
  while (end < text.length) {
    const point = text.codePointAt(end) ?? 0
    used += quotedBytes(point)
    if (used > maxBytes) break
    end += point > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * Returns the bytes of one code point of JSON text within a JSON string. JSON text has no raw control characters, so
 * only quotes and backslashes grow.
 */
function quotedBytes(point: number): number {
  if (point === 0x22 || point === 0x5c) return 2
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point > 0xffff ? 4 : 3
}
