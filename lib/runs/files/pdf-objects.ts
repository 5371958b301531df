/** A name is a string; of a text only its length is kept. */
export type PdfValue =
  | null
  | boolean
  | number
  | string
  | { text: number }
  | { ref: number }
  | PdfValue[]
  | PdfDict
export type PdfDict = Map<string, PdfValue>

/** `data`: where the bytes of a stream begin and end in the file. */
export type PdfObject = { number: number; value: PdfValue; data?: readonly [number, number] }

/** The file can be read in more than one way, or says something that is not understood here. */
export class UnclearPdf extends Error {}

export const isSpace = (code: number) =>
  code === 32 || code === 10 || code === 13 || code === 9 || code === 12 || code === 0

const integer = /\d{1,10}/y
const number = /[+-]?(?:\d+\.?\d*|\.\d+)/y
const name = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/y
const reference = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y
const hexText = /<[0-9a-fA-F\0\t\n\f\r ]*>/y
const word = /(?:true|false|null)(?![^\0\t\n\f\r ()<>[\]{}/%])/y
const objectStart = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/y
const rowOfTable = /\d+[\0\t\n\f\r ]+\d+(?:[\0\t\n\f\r ]+[nf])?[\0\t\n\f\r ]*/y
const lineEnd = /\r\n|\n/y
const afterData = /(?:\r\n|\n|\r)?endstream/y

const mostDepth = 32
/** The most values of one file; each takes some tens of bytes of memory. */
const mostValues = 1_000_000

/** Reads PDF syntax at a place that moves on. Throws UnclearPdf at whatever the syntax does not allow. */
export class PdfReader {
  /** `read`: how many values were read of the file so far. */
  constructor(
    readonly text: string,
    readonly read: { values: number },
    public at = 0,
  ) {}

  /** Goes on behind what the pattern finds right here; null = it does not. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  takeWord(expected: string): boolean {
    const isHere = this.text.startsWith(expected, this.at)
    if (isHere) this.at += expected.length
    return isHere
  }

  need(found: boolean): void {
    if (!found) throw new UnclearPdf()
  }

  /** Passes white space and comments. */
  skip(): void {
    const { text } = this
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at)
      if (code === 37) this.skipComment()
      else if (isSpace(code)) this.at++
      else return
    }
  }

  private skipComment(): void {
    const { text } = this
    while (this.at < text.length && text[this.at] !== '\n' && text[this.at] !== '\r') this.at++
  }

  integer(): number {
    this.skip()
    const found = this.take(integer)
    if (!found) throw new UnclearPdf()
    return Number(found[0])
  }

  value(depth = 0): PdfValue {
    this.skip()
    this.need(depth < mostDepth && ++this.read.values <= mostValues)
    const { text } = this
    switch (text[this.at]) {
      case '/':
        return this.name()
      case '(':
        return { text: this.literal() }
      case '[':
        return this.list(depth)
      case '<':
        if (text[this.at + 1] === '<') return this.dict(depth)
        return { text: this.hex() }
      default:
        return this.plain()
    }
  }

  private plain(): PdfValue {
    const ref = this.take(reference)
    if (ref) return { ref: Number(ref[1]) }
    const figure = this.take(number)
    if (figure) return Number(figure[0])
    const found = this.take(word)
    if (!found) throw new UnclearPdf()
    return found[0] === 'null' ? null : found[0] === 'true'
  }

  private name(): string {
    return plainName(this.take(name)?.[1] ?? '')
  }

  private hex(): number {
    const found = this.take(hexText)
    if (!found) throw new UnclearPdf()
    return Math.ceil((found[0].length - 2) / 2)
  }

  private literal(): number {
    const from = this.at
    const end = literalEnd(this.text, from)
    if (end === null) throw new UnclearPdf()
    this.at = end
    return end - from - 2
  }

  private list(depth: number): PdfValue[] {
    const values: PdfValue[] = []
    this.at++
    for (this.skip(); !this.takeWord(']'); this.skip()) values.push(this.value(depth + 1))
    return values
  }

  /** Reads a dictionary. Readers disagree on which of two entries with one key is valid. */
  private dict(depth: number): PdfDict {
    const entries: PdfDict = new Map()
    this.at += 2
    for (this.skip(); !this.takeWord('>>'); this.skip()) {
      this.need(this.text[this.at] === '/')
      const key = this.name()
      this.need(!entries.has(key))
      entries.set(key, this.value(depth + 1))
    }
    return entries
  }
}

/** Returns a name without escapes: `#41` is `A`. */
export function plainName(written: string): string {
  if (!written.includes('#')) return written
  return written.replace(/#([0-9a-fA-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const marks = /[()\\]/g

/** Returns the end of the text in parentheses that begins here; null = it has none. */
export function literalEnd(text: string, from: number): number | null {
  let depth = 0
  marks.lastIndex = from
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '\\') marks.lastIndex++
    else depth += mark[0] === '(' ? 1 : -1
    if (depth === 0) return marks.lastIndex
  }
  return null
}

/**
 * Returns every object of the file from its first to its last byte, whatever its tables say, and its trailers as object
 * 0. A program that finds objects in another way finds no others.
 */
export async function readPdfObjects(
  reader: PdfReader,
  pause: () => Promise<void>,
): Promise<PdfObject[]> {
  const { text } = reader
  const objects: PdfObject[] = []
  let numbered = 0
  for (reader.skip(); reader.at < text.length; reader.skip()) {
    const start = reader.take(objectStart)
    if (start) {
      objects.push(readObject(reader, Number(start[1])))
      if (++numbered % 200 === 0) await pause()
    } else if (reader.takeWord('trailer')) {
      objects.push({ number: 0, value: reader.value() })
    } else if (reader.takeWord('startxref')) {
      reader.integer()
    } else {
      reader.need(reader.takeWord('xref'))
      reader.skip()
      while (reader.take(rowOfTable));
    }
  }
  // In a text, a comment or the bytes of a stream, another reader may find one more.
  for (const _ of text.matchAll(/\d[\0\t\n\f\r ]+obj/g)) numbered--
  reader.need(numbered === 0)
  checkLengths(objects)
  return objects
}

function readObject(reader: PdfReader, number: number): PdfObject {
  const value = reader.value()
  reader.skip()
  if (!reader.takeWord('stream')) {
    reader.need(reader.takeWord('endobj'))
    return { number, value }
  }
  reader.need(value instanceof Map && reader.take(lineEnd) !== null)
  const from = reader.at
  const length = (value as PdfDict).get('Length')
  const end = typeof length === 'number' ? from + length : reader.text.indexOf('endstream', from)
  reader.need(end >= from)
  reader.at = end
  reader.need(reader.take(afterData) !== null)
  reader.skip()
  reader.need(reader.takeWord('endobj'))
  return { number, value, data: [from, end] }
}

/** Checks that a length in an object of its own equals the length that was found. */
function checkLengths(objects: readonly PdfObject[]): void {
  const byNumber = grouped(objects)
  for (const { value, data } of objects) {
    const length = data && value instanceof Map ? value.get('Length') : null
    if (!data || typeof length === 'number') continue
    if (!isReference(length)) throw new UnclearPdf()
    const found = data[1] - data[0]
    const said = byNumber.get(length.ref) ?? []
    const isRight = ({ value }: PdfObject) =>
      typeof value === 'number' && value <= found && value >= found - 2
    if (said.length === 0 || !said.every(isRight)) throw new UnclearPdf()
  }
}

export function isReference(value: PdfValue | undefined): value is { ref: number } {
  return typeof value === 'object' && value !== null && 'ref' in value
}

/** Returns the objects by number. A changed file has several versions of some. */
export function grouped<T extends { number: number }>(objects: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const object of objects) {
    const known = groups.get(object.number)
    if (known) known.push(object)
    else groups.set(object.number, [object])
  }
  return groups
}
