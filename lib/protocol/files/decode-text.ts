import type { LeftOut } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'

/** A text as it was decoded, without its byte order mark. */
export type DecodedText = {
  text: string
  /** As the Encoding Standard names it. */
  encoding: string
  /** Why it is taken for this one although nothing that is understood says so; null = it is certain. */
  assumed: string | null
  /** The count of characters that are U+FFFD because their bytes are none of this encoding. */
  undecoded: number
  hasMark: boolean
}

/** `charset`: what its sender says. `isHtml`: a `<meta>` counts. `isCut`: it may end within a character. */
type Hints = { charset?: string | null; isHtml?: boolean; isCut?: boolean }

/** Control characters other than tab, line ends and form feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\0-\x08\x0b\x0e-\x1f]/

/** Returns bytes as text; null = they are none, since they have NUL, or controls that are not in UTF-8. */
export function decodeText(bytes: Uint8Array, hints: Hints = {}): DecodedText | null {
  const decoded = decodeAsText(bytes, hints)
  // UTF-32 begins as UTF-16 does, and a NUL after each letter would hide secrets.
  if (decoded.text.includes('\0')) return null
  // Data may begin as a byte order mark does.
  if (decoded.hasMark && decoded.undecoded * 10 > decoded.text.length) return null
  return decoded.assumed !== null && controls.test(decoded.text) ? null : decoded
}

/**
 * Returns bytes that are known to be text in the encoding that these name, in this order: byte order mark, sender, XML declaration,
 * `<meta>`. If none does, they are UTF-8 where they are valid UTF-8, and windows-1252 otherwise.
 */
export function decodeAsText(
  bytes: Uint8Array,
  { charset = null, isHtml, isCut = false }: Hints = {},
): DecodedText {
  const mark = marks.find(({ start }) => start.every((byte, at) => bytes[at] === byte))
  if (mark) {
    const rest = bytes.subarray(mark.start.length)
    return { ...decodedIn(mark.encoding, rest, isCut), assumed: null, hasMark: true }
  }
  const named = [charset, ...namesIn(bytes, isHtml)].filter((name) => name !== null)
  const known = named.map(encodingOf).find((encoding) => encoding !== null)
  if (known) return { ...decodedIn(known, bytes, isCut), assumed: null, hasMark: false }
  const [unknown] = named
  const ignored = unknown === undefined ? null : `it names "${unknown}", which is not known`
  const text = strictly('utf-8', bytes, isCut)
  if (text === null) {
    const assumed = ignored ?? 'it names none and is not UTF-8'
    return { ...decodedIn('windows-1252', bytes, isCut), assumed, hasMark: false }
  }
  const assumed = text.length === bytes.length ? null : ignored
  return { text, encoding: 'utf-8', assumed, undecoded: 0, hasMark: false }
}

/** Returns how a text was decoded, in words; null = nothing needs saying: it is UTF-8. */
export function encodingWords({
  encoding,
  assumed,
}: Pick<DecodedText, 'encoding' | 'assumed'>): string | null {
  if (assumed !== null) return `${encoding} (assumed: ${assumed})`
  return encoding === 'utf-8' ? null : encoding
}

/** Returns the entry for characters of a shown part that could not be decoded; none when all could. */
export function undecodedParts(undecoded: number, shown: string): LeftOut[] {
  const lost = Math.min(undecoded, count(shown, '\uFFFD'))
  const why = 'shown as U+FFFD, since their bytes are not valid in its encoding'
  return lost > 0 ? [{ what: countOf(lost, 'character'), why }] : []
}

const marks = [
  { start: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { start: [0xff, 0xfe], encoding: 'utf-16le' },
  { start: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/** Names that are in use and that the Encoding Standard does not have. */
const aliases: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'latin-1': 'windows-1252',
}

/** Returns the encoding of a name; null = there is no decoder for it. */
function encodingOf(name: string): string | null {
  const plain = name.trim().toLowerCase()
  try {
    return new TextDecoder(aliases[plain] ?? plain).encoding
  } catch {
    return null
  }
}

/** Names of encodings are looked for up to here: pages have them somewhat later than the 1,024 bytes of the standard. */
const headBytes = 2_048

/** Returns the encodings that an XML declaration and, in HTML, a `<meta>` name at the beginning. */
function namesIn(bytes: Uint8Array, isHtml: boolean | undefined): string[] {
  const head = String.fromCharCode(...bytes.subarray(0, headBytes))
  const xml = /^<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]
  const html = head.replace(/<!--[\s\S]*?-->/g, '')
  const meta =
    (isHtml ?? /^\s*<(?:!doctype\s+html|html|head|body|meta|title)[\s>]/i.test(html))
      ? /<meta\s[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(html)?.[1]
      : undefined
  const names = [xml, meta].filter((name) => name !== undefined)
  // UTF-16 has two bytes a letter, so the name could not be read there.
  return names.map((name) => (/^utf-?16/i.test(name) ? 'utf-8' : name))
}

function decodedIn(
  encoding: string,
  bytes: Uint8Array,
  isCut: boolean,
): Pick<DecodedText, 'text' | 'encoding' | 'undecoded'> {
  if (encoding === 'windows-1252') return { text: windowsText(bytes), encoding, undecoded: 0 }
  const text = strictly(encoding, bytes, isCut)
  if (text !== null) return { text, encoding, undecoded: 0 }
  const lossy = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes, { stream: isCut })
  const written = encoding === 'utf-8' ? writtenMarks(bytes) : 0
  return { text: lossy, encoding, undecoded: count(lossy, '\uFFFD') - written }
}

function strictly(encoding: string, bytes: Uint8Array, isCut: boolean): string | null {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}

/** Returns how often UTF-8 has U+FFFD as a character of its own. */
function writtenMarks(bytes: Uint8Array): number {
  let found = 0
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1))
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) found += 1
  return found
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** The characters of 0x80 to 0x9F in windows-1252. TextDecoder of Node 20 takes it for Latin-1, in which these are controls. */
const upper = Array.from(
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178',
)

function windowsText(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes)
  return text.replace(/[\x80-\x9f]/g, (each) => upper[each.charCodeAt(0) - 0x80] ?? each)
}
