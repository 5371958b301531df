import { setImmediate as nextTurn } from 'node:timers/promises'
import { openPdf, type PdfFile, type PdfStream, type PdfUse } from './pdf-file'
import { isReference, type PdfDict, type PdfObject, type PdfValue, UnclearPdf } from './pdf-objects'
import { codeTokens, type Shown, shapeTokens, shownIn } from './pdf-text'

/** The most pages of a PDF, and the most tokens of their text. */
export type PdfSize = { pages: number; textTokens: number }

const longestMs = 3_000
const deepestDrawing = 16
/** The most tokens that are counted, more than any model reads. */
const mostTextTokens = 10_000_000

let last: Promise<unknown> = Promise.resolve()

/**
 * Measures a PDF so that no reader finds more in it. A file that can be read in more than one way, that takes too long
 * or that has something unusual gives null. Other work of the process goes on meanwhile; files wait for each other,
 * because each may take hundreds of megabytes of memory.
 */
export function measurePdf(content: Uint8Array): Promise<PdfSize | null> {
  const mine = last.then(() => measureNow(content))
  last = mine.catch(() => null)
  return mine
}

async function measureNow(content: Uint8Array): Promise<PdfSize | null> {
  const began = performance.now()
  const pause = async () => {
    await nextTurn()
    if (performance.now() - began > longestMs) throw new UnclearPdf()
  }
  try {
    const file = await openPdf(content, pause)
    const pages = countPages(file)
    return { pages, textTokens: await boundText(file, pages) }
  } catch (error) {
    if (error instanceof UnclearPdf) return null
    throw error
  }
}

/** Returns the number of leaves in the page trees, whichever version of each object a reader uses. */
function countPages({ versions, uses, dicts }: PdfFile): number {
  if (dicts.some((dict) => dict.has('Pages') && !isReference(dict.get('Pages'))))
    throw new UnclearPdf()
  const roots = [...uses]
    .filter(([, known]) => known.some(({ key }) => key === 'Pages'))
    .map(([number]) => number)
  const seen = new Set<number>()
  const open = [...roots]
  let leaves = 0
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const known = versions.get(number)
    if (seen.has(number) || !known) throw new UnclearPdf()
    seen.add(number)
    const children = known.map(({ value }) => childrenOf(value))
    if (children.includes(null)) leaves++
    for (const child of new Set(children.flatMap((each) => each ?? []))) open.push(child)
  }
  const typed = [...versions.values()].filter((known) => known.some(isPage)).length
  if (leaves === 0) throw new UnclearPdf()
  return Math.max(leaves, typed)
}

const isPage = ({ value }: PdfObject) => value instanceof Map && value.get('Type') === 'Page'

/** Returns the children; null = it is a page. */
function childrenOf(value: PdfValue): number[] | null {
  if (!(value instanceof Map)) throw new UnclearPdf()
  if (!value.has('Kids')) return null
  const kids = value.get('Kids')
  if (!Array.isArray(kids) || !kids.every(isReference)) throw new UnclearPdf()
  const numbers = kids.map(({ ref }) => ref)
  if (new Set(numbers).size < numbers.length) throw new UnclearPdf()
  return numbers
}

/** Names of streams that show nothing on a page. */
const unseen = new Set(
  'FontFile FontFile2 FontFile3 Metadata ToUnicode CIDToGIDMap CIDSet Encoding UseCMap ICCBased Separation DeviceN Indexed Function Functions JS F UF Thumb DestOutputProfile'.split(
    ' ',
  ),
)

async function boundText(file: PdfFile, pages: number): Promise<number> {
  if (file.dicts.some((dict) => isReference(dict.get('Subtype')))) throw new UnclearPdf()
  const shown: (Shown & Weighed)[] = []
  for (const stream of [...file.streams.values()].flat()) {
    const uses = file.uses.get(stream.number) ?? []
    const isOfPage = uses.some(({ key }) => key === 'Contents')
    if (uses.length === 0 || (!isOfPage && showsNothing(stream, uses))) continue
    shown.push({ ...shownIn(await stream.read()), uses, isOfPage })
  }
  // A text may begin in one stream of a page and end in the next.
  const isClear = shown.every(({ isOfPage, bytes }) => !isOfPage || bytes !== null)
  const weightOf = weigh(shown, pages)
  const perByte = await tokensPerByte(file)
  let text = 0
  let marked = 0
  for (const each of shown) {
    const bytes = each.isOfPage && !isClear ? each.length : (each.bytes ?? each.length)
    if (bytes === 0 && each.marked === 0) continue
    const weight = weightOf(each)
    // Readers put spaces between texts.
    text += (bytes * perByte + each.texts) * weight
    marked += each.marked * weight
  }
  const notes = noteLengths(file)
  const noted = notes.reduce((sum, length) => sum + length, 0)
  const longest = notes.reduce((most, length) => Math.max(most, length), 0)
  const tokens = Math.ceil(text) + 2 * (noted + marked * longest)
  if (tokens > mostTextTokens) throw new UnclearPdf()
  return tokens
}

type Weighed = Pick<Shown, 'draws'> & { uses: readonly PdfUse[]; isOfPage: boolean }

/**
 * Returns a function for how often a stream is shown at most: once for each page that names it; for drawn content, as
 * often as its names are; anything else on every page.
 */
function weigh<T extends Weighed>(shown: readonly T[], pages: number): (stream: T) => number {
  const callers = new Map<string, { caller: T; times: number }[]>()
  for (const caller of shown) {
    for (const [name, times] of caller.draws) {
      const known = callers.get(name)
      if (known) known.push({ caller, times })
      else callers.set(name, [{ caller, times }])
    }
  }
  const weights = new Map<T, number | null>()
  const weightOf = (stream: T, depth = 0): number => {
    const known = weights.get(stream)
    if (known === null || depth > deepestDrawing) throw new UnclearPdf()
    if (known !== undefined) return known
    weights.set(stream, null)
    const { uses, isOfPage } = stream
    let weight = isOfPage ? uses.length : uses.every(({ draws }) => draws) ? 0 : pages
    for (const key of new Set(uses.map(({ key }) => key))) weight += timesDrawn(key, depth)
    weights.set(stream, weight)
    return weight
  }
  /** The known results of `timesDrawn` by name, because many streams may have the same name. */
  const drawn = new Map<string, number>()
  const timesDrawn = (name: string, depth: number): number => {
    const known = drawn.get(name)
    if (known !== undefined) return known
    const sum = (callers.get(name) ?? []).reduce(
      (total, { caller, times }) => total + weightOf(caller, depth + 1) * times,
      0,
    )
    drawn.set(name, sum)
    return sum
  }
  return (stream) => weightOf(stream)
}

const showsNothing = ({ dict }: PdfStream, uses: readonly PdfUse[]) =>
  dict.get('Subtype') === 'Image' ||
  (!dict.has('BBox') && uses.every(({ key, draws }) => !draws && unseen.has(key)))

/** Notes, fields of forms and what is read instead of a drawing. */
const notes = ['Contents', 'V', 'ActualText', 'Alt', 'RC']

function noteLengths({ dicts, versions }: PdfFile): number[] {
  const lengths: number[] = []
  const add = (value: PdfValue | undefined) => {
    if (typeof value === 'object' && value !== null && 'text' in value) lengths.push(value.text)
  }
  for (const dict of dicts) for (const key of notes) add(dict.get(key))
  for (const known of versions.values()) for (const { value } of known) add(value)
  return lengths
}

/**
 * Returns the most tokens for one byte of shown text in any of the fonts. The names inside font programs are ignored.
 */
async function tokensPerByte(file: PdfFile): Promise<number> {
  let most = 1
  const tokensOfTable = openTables(file)
  for (const dict of file.dicts) {
    const shapes = dict.get('Differences')
    if (shapes !== undefined && !Array.isArray(shapes)) throw new UnclearPdf()
    for (const shape of shapes ?? []) {
      if (typeof shape === 'string') most = Math.max(most, shapeTokens(shape))
    }
    if (isFont(dict)) most = Math.max(most, await tokensOfFont(dict, tokensOfTable))
  }
  return most
}

const isFont = (dict: PdfDict) =>
  dict.get('Type') === 'Font' ||
  ['ToUnicode', 'DescendantFonts', 'BaseFont', 'FirstChar'].some((key) => dict.has(key))

async function tokensOfFont(dict: PdfDict, tokensOfTable: TableTokens): Promise<number> {
  const kind = String(dict.get('Subtype'))
  if (kind.startsWith('CIDFont')) return 0
  const isWide = kind === 'Type0'
  const table = dict.get('ToUnicode')
  const named = isReference(table) ? await tokensOfTable(table.ref) : null
  return named ?? (table !== undefined || isWide ? 3 : 1)
}

type TableTokens = (number: number) => Promise<number | null>

/** Returns a function that reads each table once, because fonts share them. */
function openTables({ streams }: PdfFile): TableTokens {
  const known = new Map<number, number | null>()
  return async (number) => {
    const before = known.get(number)
    if (before !== undefined) return before
    const tables = streams.get(number) ?? []
    let tokens: number | null = null
    for (const table of tables) tokens = Math.max(tokens ?? 0, codeTokens(await table.read()))
    known.set(number, tokens)
    return tokens
  }
}
