import { createHash } from 'node:crypto'
import {
  type DecodedText,
  decodeAsText,
  decodeText,
  encodingWords,
} from '@/lib/protocol/files/decode-text'
import { ToolError } from '@/lib/protocol/tool'

/** A text as its file has it: with its byte order mark, so that texts can be compared. */
export type FileText = Pick<DecodedText, 'text' | 'encoding' | 'assumed' | 'undecoded'>

const mark = '\uFEFF'

/** Returns the text of a file; null = it is no text. */
export function decodeFile(bytes: Buffer): FileText | null {
  const decoded = decodeText(bytes)
  if (decoded === null) return null
  const { text, encoding, assumed, undecoded, hasMark } = decoded
  return { text: hasMark ? mark + text : text, encoding, assumed, undecoded }
}

/** Returns whether a text that was read from these bytes can be written back as it was. */
export function keepsBytes({ text, encoding, undecoded }: FileText, bytes: Buffer): boolean {
  return undecoded === 0 && bytesOf(text, encoding, () => []).equals(bytes)
}

/**
 * Returns the bytes of a text. Throws ToolError that names the first character that the encoding does not have, and for a text that
 * `decodeFile` would read as another one.
 */
export function encodeText(text: string, encoding: string): Buffer {
  if (text.includes('\0'))
    throw new ToolError('binary', 'A text with NUL characters is not written.')
  const bytes = bytesOf(text, encoding, (character) => notIn(encoding, character))
  if (decodeFile(bytes)?.text === text) return bytes
  throw new ToolError(
    'not-in-encoding',
    `Nothing was written: the file is ${encoding}, in which this text would read as another one. Change the text, or the encoding that it names at its beginning.`,
  )
}

function bytesOf(
  text: string,
  encoding: string,
  missing: (character: string) => readonly number[],
): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const codes = codesOf(encoding)
  return Buffer.from(Array.from(text).flatMap((each) => codes.get(each) ?? missing(each)))
}

type Codes = ReadonlyMap<string, readonly number[]>
const known = new Map<string, Codes>()

/** Returns the characters of an encoding that have one or two bytes, with these. */
function codesOf(encoding: string): Codes {
  const made = known.get(encoding)
  if (made) return made
  const codes = new Map<string, number[]>()
  const add = (...code: number[]) => {
    const { text } = decodeAsText(Uint8Array.from(code), { charset: encoding })
    const isOne = [...text].length === 1 && text !== '\uFFFD'
    if (isOne && !codes.has(text)) codes.set(text, code)
    return isOne
  }
  for (let lead = 0; lead <= 0xff; lead++) {
    if (add(lead)) continue
    for (let trail = 0x30; trail <= 0xfe; trail++) add(lead, trail)
  }
  known.set(encoding, codes)
  return codes
}

function notIn(encoding: string, character: string): never {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  throw new ToolError(
    'not-in-encoding',
    `Nothing was written: the file is ${encoding}, which has no "${character}" (U+${code}). Leave it out, or write a new file.`,
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

/** Returns a text with the byte order mark that the file has which it is written over. */
export function withMarkOf(before: string | null, text: string): string {
  return before?.startsWith(mark) && !text.startsWith(mark) ? mark + text : text
}

/** Returns what a tool says of a file that is no plain UTF-8 with "\n". */
export function fileFacts({
  text,
  encoding,
  assumed = null,
}: Pick<FileText, 'text' | 'encoding'> & Partial<FileText>): {
  encoding?: string
  lineEnds?: LineEnds
} {
  const words = encodingWords({ encoding, assumed })
  const lineEnds = lineEndsOf(text)
  return {
    ...(words !== null && { encoding: words }),
    ...(lineEnds !== 'LF' && { lineEnds }),
  }
}

/** Returns the SHA-256 of a text or of bytes, in hexadecimal. */
export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
