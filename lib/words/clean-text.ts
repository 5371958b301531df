// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/**
 * Returns text fit for a model and the database: no NUL, DEL or C0 controls except tab, newline and return; no lone
 * surrogate (SPEC T5a).
 */
export function cleanText(text: string): string {
  return text.replace(controls, '').toWellFormed()
}

/**
 * Returns a name from the model, fit for a model and the database. Removed characters leave a mark, so that an invalid
 * name never becomes a valid one (SPEC T9).
 */
export function cleanName(name: string): string {
  const kept = name.length > 200 ? `${name.slice(0, 200)}\u2026` : name
  return kept.replace(controls, '\uFFFD').toWellFormed()
}

/**
 * Returns the model's JSON text, fit for a model and the database. The mark of a C0 control is invalid inside and
 * outside of a JSON string, as the control was, so invalid text never becomes JSON (SPEC R11). DEL is legal inside a
 * string.
 */
export function cleanArguments(text: string): string {
  return text
    .replace(controls, (control) => (control === '\x7f' ? '\uFFFD' : '\uFFFD\t'))
    .toWellFormed()
}

/** Cyrillic, Greek, Armenian and other letters that look Latin, and what they look like. */
const foreign = 'аеорсухіѕјԁһӏтмпвгԛԝьαεορνικτυχօսոɡɩıʟᴀᴄᴇᴏᴜ'
const latin = 'aeopcyxisjdhltmnbrqwbaeopviktuxoungiilaceou'
const lookalikes = new Map([...foreign].map((letter, index) => [letter, latin.charAt(index)]))

/** Scripts whose letters look like no Latin one; most text that is not ASCII is theirs. */
const neverLatin = /[\u3041-\u9fff\uac00-\ud7a3\u0590-\u08ff\u0900-\u0dff]/

/**
 * Returns the plain form of a character that is not ASCII: letters or digits without width, style and accent (`ａ`,
 * `𝐚`, `á`, Cyrillic `а` become `a`), other letters unchanged. Empty for separators, combining and invisible
 * characters.
 */
export function plainCharacter(character: string): string {
  let plain = known.get(character)
  if (plain === undefined) {
    plain = readPlain(character)
    if (known.size < mostKnown) known.set(character, plain)
  }
  return plain
}

/** A text uses few characters; the cache is limited, so that no text can fill the memory. */
const known = new Map<string, string>()
const mostKnown = 4096

function readPlain(character: string): string {
  if (neverLatin.test(character)) return character
  const letters = character.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '')
  return [...letters].map((letter) => lookalikes.get(letter.toLowerCase()) ?? letter).join('')
}

/** Plain text as it is, or one character that must not act on the page, with the words that stand for it. */
export type TextPart =
  | { type: 'text'; text: string }
  | { type: 'mark'; label: string; name: string }

const names = new Map<number, string>([
  [0x00ad, 'soft hyphen'],
  [0x034f, 'combining grapheme joiner'],
  [0x061c, 'Arabic letter mark'],
  [0x115f, 'Hangul filler'],
  [0x1160, 'Hangul filler'],
  [0x17b4, 'Khmer invisible vowel'],
  [0x17b5, 'Khmer invisible vowel'],
  [0x180e, 'Mongolian vowel separator'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x2028, 'line separator'],
  [0x2029, 'paragraph separator'],
  [0x202a, 'left-to-right embedding'],
  [0x202b, 'right-to-left embedding'],
  [0x202c, 'end of embedding'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2067, 'right-to-left isolate'],
  [0x2068, 'first strong isolate'],
  [0x2069, 'end of isolate'],
  [0x3164, 'Hangul filler'],
  [0xfeff, 'byte order mark'],
  [0xffa0, 'Hangul filler'],
])

/** Newline and tab are layout; a return before a newline or at the very end is part of the line's end. */
const suspect =
  /\r(?:\n|$)|(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

const pictographBefore = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*$/u
const pictographAfter = /^\p{Extended_Pictographic}/u
const emojiBase = /[\p{Extended_Pictographic}0-9#*]$/u

/**
 * Splits text that came from a model, a tool or a remote server into plain parts and marks, so that control, bidi,
 * zero-width and other invisible characters are shown instead of obeyed (SPEC J5). Joiners and variation selectors
 * inside an emoji stay, because they are what the reader sees.
 */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(suspect)) {
    const found = match[0]
    if (isLineEnd(text, match.index, found) || isPartOfEmoji(text, match.index, found)) continue
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) })
    parts.push(mark(found.codePointAt(0) ?? 0))
    from = match.index + found.length
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return parts
}

/** Returns the visible parts of a text as one string, for places that take only text: titles, labels, file names. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => (part.type === 'text' ? part.text : `[${part.label}]`))
    .join('')
}

/** Returns a name as one line of what is seen of it: without invisible characters, with single spaces. */
export function nameLine(text: string): string {
  const inOneLine = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').toWellFormed()
  const seen = visibleParts(inOneLine).map((part) => (part.type === 'text' ? part.text : ''))
  return seen.join('').replaceAll(/\s+/g, ' ').trim()
}

/** Returns the first words of a text in one line, with "…" when more follows: for titles. Invisible characters are shown. */
export function firstWords(text: string, most = 90): string {
  const line = visibleText(text).replaceAll(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most)
  // A word that is longer than the title is cut.
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2))}…`.toWellFormed()
}

/** Replaces invisible characters of JSON text by their escapes, which are visible and mean the same characters. */
export function escapeInvisible(json: string): string {
  return json.replace(suspect, (found, index: number) => {
    if (isLineEnd(json, index, found) || isPartOfEmoji(json, index, found)) return found
    return Array.from({ length: found.length }, (_, at) => jsonEscape(found.charCodeAt(at))).join(
      '',
    )
  })
}

function jsonEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

function mark(code: number): TextPart {
  const point = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code < 0x20)
    return { type: 'mark', label: String.fromCodePoint(0x2400 + code), name: `control ${point}` }
  if (code === 0x7f) return { type: 'mark', label: '␡', name: `control ${point}` }
  return { type: 'mark', label: point, name: names.get(code) ?? describe(code) }
}

function describe(code: number): string {
  if (code < 0xa0) return 'control'
  if (code >= 0xd800 && code <= 0xdfff) return 'incomplete character'
  if (code >= 0xe0000 && code <= 0xe007f) return 'invisible tag'
  return 'invisible character'
}

function isLineEnd(text: string, index: number, found: string): boolean {
  return found === '\r\n' || (found === '\r' && index + 1 === text.length)
}

function isPartOfEmoji(text: string, index: number, found: string): boolean {
  const before = text.slice(Math.max(0, index - 8), index)
  if (found === '\ufe0f' || found === '\ufe0e') return emojiBase.test(before)
  if (found !== '\u200d') return false
  return pictographBefore.test(before) && pictographAfter.test(text.slice(index + 1, index + 3))
}

/** Maximum characters of a recorded text that the audit shows. */
export const shownCharacters = 4_000
