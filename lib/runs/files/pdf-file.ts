import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import {
  grouped,
  isReference,
  isSpace,
  type PdfDict,
  type PdfObject,
  PdfReader,
  type PdfValue,
  readPdfObjects,
  UnclearPdf,
} from './pdf-objects'

export type PdfStream = { number: number; dict: PdfDict; read: () => Promise<string> }

/** Under which key an object is named; `draws`: among what a page may draw by that name. */
export type PdfUse = { key: string; draws: boolean }

/** The content of a PDF, in every version of every object. `uses`: how other objects name an object. */
export type PdfFile = {
  versions: Map<number, PdfObject[]>
  dicts: PdfDict[]
  uses: Map<number, PdfUse[]>
  streams: Map<number, PdfStream[]>
}

const unpack = promisify(inflate)
const mostUnpacked = { one: 16 * 1024 * 1024, all: 64 * 1024 * 1024 }

/** Throws UnclearPdf for a file that is encrypted or can be read in more than one way. */
export async function openPdf(content: Uint8Array, pause: () => Promise<void>): Promise<PdfFile> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length)
  const progress = { values: 0 }
  const objects = await readPdfObjects(new PdfReader(bytes.toString('latin1'), progress), pause)
  let unpacked = 0
  const read = async ({ value, data }: PdfObject): Promise<string> => {
    await pause()
    if (!(value instanceof Map) || !data) throw new UnclearPdf()
    const plain = await decode(value, bytes.subarray(...data))
    unpacked += plain.length
    if (unpacked > mostUnpacked.all) throw new UnclearPdf()
    return plain.toString('latin1')
  }
  const packed = new Map<number, PdfObject[]>()
  for (const object of objects) {
    if (!isPack(object)) continue
    // Which of two packs with one number is meant, only the tables would say.
    if (packed.has(object.number)) throw new UnclearPdf()
    packed.set(object.number, unpackObjects(object.value as PdfDict, await read(object), progress))
  }
  for (const object of objects) {
    if (isEncrypted(object)) throw new UnclearPdf()
    if (isTable(object)) checkTable(object.value as PdfDict, await read(object), packed)
  }
  const all = [...objects, ...[...packed.values()].flat()]
  const streams = objects.flatMap((object): PdfStream[] => {
    if (!object.data || isPack(object) || isTable(object)) return []
    const { number, value } = object
    return [{ number, dict: value as PdfDict, read: () => read(object) }]
  })
  return { streams: grouped(streams), ...look(all) }
}

const has = ({ value }: PdfObject, key: string) => value instanceof Map && value.has(key)
const isPack = (object: PdfObject) => object.data !== undefined && has(object, 'First')
const isTable = (object: PdfObject) => object.data !== undefined && has(object, 'W')
const isEncrypted = (object: PdfObject) =>
  (object.number === 0 || object.data !== undefined) && has(object, 'Encrypt')

async function decode(dict: PdfDict, data: Buffer): Promise<Buffer> {
  if (dict.has('F')) throw new UnclearPdf()
  const filter = dict.get('Filter') ?? []
  const filters = (Array.isArray(filter) ? filter : [filter]).map(String)
  const isWritten = filters[0] === 'ASCII85Decode'
  const further = isWritten ? filters.slice(1) : filters
  if (further.length > 1 || (isWritten && dict.has('DecodeParms'))) throw new UnclearPdf()
  const written = isWritten ? fromAscii85(data) : data
  if (further.length === 0) return written
  if (further[0] !== 'FlateDecode') throw new UnclearPdf()
  try {
    const plain = await unpack(written, { maxOutputLength: mostUnpacked.one })
    return unpredicted(dict.get('DecodeParms') ?? null, plain)
  } catch {
    throw new UnclearPdf()
  }
}

/** Decodes text that ends with `~>`: five characters for each four bytes, `z` for four zeros. */
function fromAscii85(data: Buffer): Buffer {
  if (data.length * 4 > mostUnpacked.one) throw new UnclearPdf()
  const bytes = Buffer.alloc(data.length * 4)
  let length = 0
  let group = 0
  let digits = 0
  const end = data.indexOf('~>')
  for (const code of data.subarray(0, end)) {
    if (isSpace(code)) continue
    const isZeros = code === 0x7a && digits === 0
    if (end < 0 || (!isZeros && (code < 0x21 || code > 0x75))) throw new UnclearPdf()
    group = isZeros ? 0 : group * 85 + code - 0x21
    digits = isZeros ? 5 : digits + 1
    if (digits < 5) continue
    length = writeGroup(bytes, length, group)
    group = 0
    digits = 0
  }
  if (digits === 0) return bytes.subarray(0, length)
  // The last group is filled up, and gives one byte less than it has characters.
  for (let missing = digits; missing < 5; missing++) group = group * 85 + 84
  return bytes.subarray(0, writeGroup(bytes, length, group) - 5 + digits)
}

function writeGroup(bytes: Buffer, at: number, group: number): number {
  if (group > 0xffffffff) throw new UnclearPdf()
  return bytes.writeUInt32BE(group, at)
}

/** Returns data without its prediction: tables are written as differences from row to row. */
function unpredicted(given: PdfValue, data: Buffer): Buffer {
  const [options = null, ...further] = Array.isArray(given) ? given : [given]
  if (options === null && further.length === 0) return data
  if (!(options instanceof Map) || further.length > 0) throw new UnclearPdf()
  const predictor = options.get('Predictor') ?? 1
  if (predictor === 1) return data
  const columns = options.get('Columns') ?? 1
  const isPlain = ['Colors', 'BitsPerComponent'].every((key) => !options.has(key))
  if (!isWidth(columns, 64) || columns === 0 || data.length % (columns + 1) > 0 || !isPlain)
    throw new UnclearPdf()
  const plain = Buffer.alloc((data.length / (columns + 1)) * columns)
  for (let row = 0; row * columns < plain.length; row++) {
    const from = row * (columns + 1)
    const kind = data[from]
    if (kind !== 0 && kind !== 2) throw new UnclearPdf()
    for (let column = 0; column < columns; column++) {
      const place = row * columns + column
      const above = kind === 2 ? (plain[place - columns] ?? 0) : 0
      plain[place] = (data[from + 1 + column] ?? 0) + above
    }
  }
  return plain
}

function isWidth(value: PdfValue, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
}

function unpackObjects(dict: PdfDict, text: string, progress: { values: number }): PdfObject[] {
  const count = dict.get('N')
  const first = dict.get('First')
  if (typeof count !== 'number' || typeof first !== 'number' || count > text.length)
    throw new UnclearPdf()
  const head = new PdfReader(text, progress)
  const objects: PdfObject[] = []
  for (let place = 0; place < count; place++) {
    const number = head.integer()
    const at = first + head.integer()
    objects.push({ number, value: new PdfReader(text, progress, at).value() })
  }
  return objects
}

/** Checks that no table gives a packed object another number. */
function checkTable(dict: PdfDict, text: string, packed: ReadonlyMap<number, PdfObject[]>): void {
  const widths = numbersOf(dict.get('W'))
  const index = numbersOf(dict.get('Index') ?? [0, dict.get('Size') ?? null])
  const [kindBytes = 0, placeBytes = 0, rankBytes = 0] = widths
  // A row without bytes would never end.
  if (placeBytes === 0 || !widths.every((width) => isWidth(width, 8))) throw new UnclearPdf()
  const field = (at: number, bytes: number) => {
    let figure = 0
    for (let place = at; place < at + bytes; place++) figure = figure * 256 + text.charCodeAt(place)
    return figure
  }
  let at = 0
  for (let section = 0; section < index.length; section += 2) {
    const [from = 0, count = 0] = index.slice(section, section + 2)
    for (let number = from; number < from + count && at < text.length; number++) {
      const kind = kindBytes === 0 ? 1 : field(at, kindBytes)
      const place = field(at + kindBytes, placeBytes)
      const rank = field(at + kindBytes + placeBytes, rankBytes)
      at += kindBytes + placeBytes + rankBytes
      if (kind === 2 && packed.get(place)?.[rank]?.number !== number) throw new UnclearPdf()
    }
  }
}

function numbersOf(value: PdfValue | undefined): number[] {
  if (!Array.isArray(value) || value.length > 10_000) throw new UnclearPdf()
  return value.map((each) => {
    if (typeof each !== 'number' || !Number.isInteger(each) || each < 0) throw new UnclearPdf()
    return each
  })
}

function look(objects: readonly PdfObject[]): Omit<PdfFile, 'streams'> {
  const dicts: PdfDict[] = []
  const uses = new Map<number, PdfUse[]>()
  const walk = (value: PdfValue, key: string, draws = false) => {
    if (isReference(value)) {
      const known = uses.get(value.ref)
      if (known) known.push({ key, draws })
      else uses.set(value.ref, [{ key, draws }])
    } else if (Array.isArray(value)) {
      const [first] = value
      const inner = typeof first === 'string' && key !== 'Contents' ? first : key
      for (const each of value) walk(each, inner)
    } else if (value instanceof Map) {
      dicts.push(value)
      for (const [name, each] of value) walk(each, name, key === 'XObject')
    }
  }
  for (const { value } of objects) if (!Array.isArray(value)) walk(value, '')
  // A list in an object of its own may be what a page shows, unless others use it for something else.
  for (const { number, value } of objects) {
    if (!Array.isArray(value)) continue
    const known = uses.get(number) ?? [{ key: 'Contents' }]
    const shows = known.filter(({ key }) => key === 'Contents').length
    if (shows > 1) throw new UnclearPdf()
    walk(value, shows > 0 ? 'Contents' : (known[0]?.key ?? ''))
  }
  return { versions: grouped(objects), dicts, uses }
}
