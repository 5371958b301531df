import { literalEnd, plainName, UnclearPdf } from './pdf-objects'

const contentMark = /[(<%]|(?<![A-Za-z0-9/])(?:Do|BDC|ID)(?![A-Za-z0-9])/g
const hexText = /<([0-9a-fA-F\0\t\n\f\r ]*)>/y
const endOfLine = /[\r\n]|$/g
const drawing = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)[\0\t\n\f\r ]+Do/g
const nameAndSpace = /^[^\0\t\n\f\r ()<>[\]{}/%]*(?=[\0\t\n\f\r ]+$)/

/**
 * Content of a stream of drawing operators: the bytes of its texts at most, the streams it draws and how often, and the
 * number of its parts that need another reader. `bytes` null: the texts cannot be told apart from the rest.
 */
export type Shown = {
  bytes: number | null
  texts: number
  length: number
  draws: Map<string, number>
  marked: number
}

export function shownIn(content: string): Shown {
  const { length } = content
  const draws = new Map<string, number>()
  let bytes = 0
  let texts = 0
  let marked = 0
  contentMark.lastIndex = 0
  for (let mark = contentMark.exec(content); mark; mark = contentMark.exec(content)) {
    const { 0: found, index } = mark
    if (found === 'Do') {
      // The search for the slash before a name is limited: without one nearby, the file is given up at once.
      const name = content.slice(content.lastIndexOf('/', index) + 1, index)
      addDraw(draws, nameAndSpace.exec(name)?.[0])
    } else if (found === 'BDC') marked++
    else {
      const end = endOf(content, found, index)
      if (end === null) return wholeShown(content)
      contentMark.lastIndex = end.at
      if (end.bytes > 0) texts++
      bytes += end.bytes
    }
  }
  return { bytes, texts, length, draws, marked }
}

/** Returns the end of a comment or text, with the bytes of the text that may be shown. */
function endOf(content: string, found: string, from: number): { at: number; bytes: number } | null {
  // The data of an inline image (ID) may look like anything.
  if (found === 'ID') return null
  if (found === '%') {
    endOfLine.lastIndex = from
    return { at: endOfLine.exec(content)?.index ?? content.length, bytes: 0 }
  }
  if (found === '(') {
    const at = literalEnd(content, from)
    return at === null ? null : { at, bytes: visibleBytes(content.slice(from + 1, at - 1)) }
  }
  if (content[from + 1] === '<') return { at: from + 2, bytes: 0 }
  hexText.lastIndex = from
  const hex = hexText.exec(content)
  return hex && { at: hexText.lastIndex, bytes: visibleBytes(fromHex(hex[1] ?? '')) }
}

function fromHex(hex: string): string {
  const digits = hex.replace(/[\0\t\n\f\r ]/g, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1')
}

/**
 * Returns how many bytes of a text may show something. Codes of two bytes often have a zero, which shows nothing where a
 * code has one byte; half of them are no zeros.
 */
function visibleBytes(text: string): number {
  let zeros = 0
  for (let at = text.indexOf('\0'); at >= 0; at = text.indexOf('\0', at + 1)) zeros++
  return Math.max(text.length - zeros, Math.ceil(text.length / 2))
}

function wholeShown(content: string): Shown {
  const draws = new Map<string, number>()
  const named = [...content.matchAll(drawing)]
  if (named.length < (content.match(/(?<![A-Za-z0-9/])Do(?![A-Za-z0-9])/g)?.length ?? 0))
    throw new UnclearPdf()
  for (const [, name] of named) addDraw(draws, name)
  const marked = content.split('BDC').length - 1
  return { bytes: null, texts: 0, length: content.length, draws, marked }
}

function addDraw(draws: Map<string, number>, name: string | undefined): void {
  if (name === undefined) throw new UnclearPdf()
  draws.set(plainName(name), (draws.get(plainName(name)) ?? 0) + 1)
}

/** Latin letters and the usual signs of print, each of which tokenizers keep whole. */
const usual = [
  [0, 0x24f],
  [0x2000, 0x206f],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0xfb00, 0xfb06],
] as const

/** Returns the most tokens of any character between two: its bytes in UTF-8, or one for a common character. */
function unitTokens(from: number, to: number): number {
  if (usual.some(([first, last]) => from >= first && to <= last)) return 1
  return from < 0x800 && to < 0x800 ? 2 : 3
}

/**
 * Returns the most tokens of characters written as UTF-16 in hexadecimal, when the last one is any of the `further`
 * next ones.
 */
function hexTokens(hex: string, further = 0): number {
  const digits = hex.replace(/[^0-9a-fA-F]/g, '')
  let tokens = 0
  for (let at = 0; at < digits.length; at += 4) {
    const unit = Number.parseInt(digits.slice(at, at + 4), 16)
    tokens += unitTokens(unit, unit + (at + 4 >= digits.length ? further : 0))
  }
  return tokens
}

const hexes = /<[0-9a-fA-F\s]*>/g
const range = /<([0-9a-fA-F\s]*)>\s*<([0-9a-fA-F\s]*)>\s*(<[0-9a-fA-F\s]*>|\[[0-9a-fA-F<>\s]*\])/g

/** Returns the most tokens of one character code, by the table that a font gives to readers of its text. */
export function codeTokens(table: string): number {
  let most = table.includes('usecmap') ? 3 : 1
  for (const pairs of blocks(table, 'bfchar')) {
    const texts = pairs.match(hexes) ?? []
    for (let place = 1; place < texts.length; place += 2) {
      most = Math.max(most, hexTokens(texts[place] ?? ''))
    }
  }
  for (const rows of blocks(table, 'bfrange')) {
    for (const [, low = '', high = '', to = ''] of rows.matchAll(range)) {
      const further = Number.parseInt(high, 16) - Number.parseInt(low, 16)
      for (const text of to.match(hexes) ?? []) {
        most = Math.max(most, hexTokens(text, to.startsWith('[') ? 0 : further))
      }
    }
  }
  return most
}

function blocks(table: string, kind: string): string[] {
  const begun = table.split(`begin${kind}`).slice(1)
  return begun.map((block) => block.split(`end${kind}`, 1)[0] ?? '')
}

/** Returns the most tokens of a character by the name of its shape: `bullet`, `f_f_i`, `uni4E2D`. */
export function shapeTokens(name: string): number {
  const written = /^(?:uni|u)([0-9A-F]{4,})/.exec(name)?.[1]
  if (written) return hexTokens(written) + 1
  return (name.startsWith('afii') ? 2 : 1) + name.split('_').length - 1
}
