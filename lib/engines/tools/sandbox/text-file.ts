import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ToolError } from '@/lib/protocol/tool'

export const Encoding = z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])
export type Encoding = z.infer<typeof Encoding>
/** A text as its file has it: with its byte order mark, so that texts can be compared. */
export type FileText = { text: string; encoding: Encoding }

/** Control characters other than tab, line ends and form feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\0-\x08\x0b\x0e-\x1f]/

/**
 * Returns the text of a file; null = it is no text. UTF-16 is known by its byte order mark. What is not UTF-8 and has no
 * controls is taken for windows-1252.
 */
export function decodeFile(bytes: Buffer): FileText | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, 'utf-16be')
  if (bytes.includes(0)) return null
  const text = decoded(bytes, 'utf-8')
  if (text) return text
  const single = bytes.toString('latin1')
  if (controls.test(single)) return null
  const windows = single.replace(/[\x80-\x9f]/g, (each) => upper[each.charCodeAt(0) - 0x80] ?? each)
  return { text: windows, encoding: 'windows-1252' }
}

/**
 * The characters of 0x80 to 0x9F in windows-1252, in which it differs from Latin-1. TextDecoder of Node 20 takes it for
 * Latin-1.
 */
const upper = Array.from(
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178',
)

function decoded(bytes: Buffer, encoding: Exclude<Encoding, 'windows-1252'>): FileText | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
    // UTF-32 begins as UTF-16 does, and a NUL after each letter would hide secrets.
    return text.includes('\0') ? null : { text, encoding }
  } catch {
    return null
  }
}

/**
 * Returns the bytes of a text. Throws ToolError that names the first character that the encoding does not have, and for a text that
 * `decodeFile` would read as another one.
 */
export function encodeText(text: string, encoding: Encoding): Buffer {
  const bytes = bytesOf(text, encoding)
  if (encoding === 'utf-8' || decodeFile(bytes)?.text === text) return bytes
  throw new ToolError(
    'not-in-encoding',
    `Nothing was written: the file is ${encoding}, in which this text would read as another one. Change the text, or write a new file.`,
  )
}

function bytesOf(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text)
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'windows-1252':
      return Buffer.from(Array.from(text, byteOf))
    default:
      return encoding satisfies never
  }
}

function byteOf(character: string): number {
  const place = upper.indexOf(character)
  if (place !== -1) return 0x80 + place
  const point = character.charCodeAt(0)
  if (point < 0x80 || (point >= 0xa0 && point <= 0xff && character.length === 1)) return point
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  throw new ToolError(
    'not-in-encoding',
    `Nothing was written: the file is windows-1252, which has no "${character}" (U+${code}). Leave it out, or write a new file.`,
  )
}

/** The line ends of a text: "\n", "\r\n", or both. */
type LineEnds = 'LF' | 'CRLF' | 'mixed'

function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r\n')) return 'LF'
  return /(?<!\r)\n/.test(text) ? 'mixed' : 'CRLF'
}

/** Returns a text with the line ends of the file that it is written over; one that has "\r\n" itself stays as it is. */
export function withLineEndsOf(before: string | null, text: string): string {
  if (before === null || text.includes('\r\n')) return text
  const windows = before.match(/\r\n/g)?.length ?? 0
  const all = before.match(/\n/g)?.length ?? 0
  return windows * 2 > all ? text.replaceAll('\n', '\r\n') : text
}

const mark = '\uFEFF'

/** Returns a text with the byte order mark that the file has which it is written over. */
export function withMarkOf(before: string | null, text: string): string {
  return before?.startsWith(mark) && !text.startsWith(mark) ? mark + text : text
}

/** Returns what a tool says of a file that is no plain UTF-8 with "\n". */
export function fileFacts({ text, encoding }: FileText): {
  encoding?: Encoding
  lineEnds?: LineEnds
} {
  const lineEnds = lineEndsOf(text)
  return {
    ...(encoding !== 'utf-8' && { encoding }),
    ...(lineEnds !== 'LF' && { lineEnds }),
  }
}

/** Returns the SHA-256 of a text or of bytes, in hexadecimal. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
