import type { ListItem, MarkdownTree } from './inert-markdown'
import { endsInFence, fencedCode, indentOf, markdownBlocks, marker, ruler } from './markdown-blocks'

/**
 * A part of an answer that can be shown alone. All but `text` consist of pieces that cannot influence one another, so
 * that only the last one changes while the answer grows.
 */
export type Block =
  /** A block that the parser must see whole. */
  | ({ type: 'text' } & Piece)
  /** `isOpen`: no line closes it. */
  | { type: 'code'; pieces: string[]; isOpen: boolean }
  /** One paragraph. */
  | { type: 'words'; pieces: Piece[] }
  /** Each part begins with the two lines of the head. */
  | { type: 'table'; parts: Piece[] }
  | ListBlock

/** A text and its tree; null = too costly to parse. */
export type Piece = { source: string; tree: MarkdownTree | null }

export type ListBlock = {
  type: 'list'
  isOrdered: boolean
  start?: number
  /** True = items have paragraphs of their own, because there is a blank line somewhere in the list. */
  isLoose: boolean
  items: Item[]
}

/** An item as it was parsed, or the blocks of one that is too long for that. */
export type Item = { node: ListItem; source: string } | { blocks: Block[] }

type Parse = (source: string) => Piece

export function readBlocks(text: string, parse: Parse): Block[] {
  return markdownBlocks(text).map((source) => readBlock(source, parse))
}

/**
 * Cuts a block of Markdown into its pieces. `parse` is asked for the same pieces again while a text grows, and should
 * keep its answers. What is not surely the same in pieces stays a `text`.
 */
export function readBlock(source: string, parse: Parse): Block {
  return (
    asCode(source) ??
    asList(source, parse) ??
    asTable(source, parse) ??
    asWords(source, parse) ?? { type: 'text', ...parse(source) }
  )
}

const linesAtOnce = 40

function asCode(source: string): Block | null {
  const code = fencedCode(source)
  if (code === null) return null
  const pieces = joinedGroups(code.split(/(?<=\n)/), linesAtOnce)
  return { type: 'code', pieces, isOpen: endsInFence(source) }
}

export function inGroups<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size))
}

function joinedGroups(lines: string[], size: number): string[] {
  return inGroups(lines, size).map((group) => group.join(''))
}

/** A longer item is cut into blocks of its own. */
const longItem = 1_000
/** A list in which something is further to the right is left to the parser, which refuses what is nested too deep. */
const deepIndent = /^ {40}/m

/** Returns a list item by item. A line that is neither an item nor indented below one leaves it to the parser. */
function asList(source: string, parse: Parse): Block | null {
  const [, first = ''] = source.match(marker) ?? []
  if (first === '' || deepIndent.test(source)) return null
  const items: ItemText[] = []
  for (const line of source.split(/(?<=\n)/)) {
    const words = line.replace(/\n$/, '')
    const last = items.at(-1)
    if (last && (words.trim() === '' || indentOf(words) >= last.width)) {
      last.source += line
      continue
    }
    const [begin, mark = ''] = words.match(marker) ?? []
    if (ruler.test(words) || (begin !== undefined && mark.at(-1) !== first.at(-1))) return null
    if (begin !== undefined) {
      const isEmpty = words === begin
      items.push({ source: line, width: isEmpty ? begin.trimEnd().length + 1 : begin.length })
    } else if (last && /^[\p{L}\p{N}]/u.test(words) && !endsBlank(last.source)) {
      // Perhaps more words of its paragraph, or the number of the next item that is not complete.
      last.source += line
      last.isRagged = true
    } else return null
  }
  const read = items.map((item) => readItem(item, parse))
  const isApart = items.some(({ source: text }, at) => {
    const { item } = read[at] ?? {}
    return at < items.length - 1 && endsBlank(text) && !(item && itemEndsInCode(item))
  })
  const known = read.filter((item) => item !== null)
  if (known.length < read.length) return null
  return {
    type: 'list',
    isOrdered: first.length > 1,
    ...(first.length > 1 &&
      Number.parseInt(first, 10) !== 1 && { start: Number.parseInt(first, 10) }),
    isLoose: isApart || known.some(({ isLoose }) => isLoose),
    items: known.map(({ item }) => item),
  }
}

/** `width`: where its words begin. `isRagged`: some of them begin before. */
type ItemText = { source: string; width: number; isRagged?: boolean }

function readItem(
  { source, width, isRagged }: ItemText,
  parse: Parse,
): { item: Item; isLoose: boolean } | null {
  if (source.length > longItem && !isRagged) {
    const text = contentOf(source, width)
    const blocks = text === null ? [] : readBlocks(text, parse)
    if (text !== null) return { item: { blocks }, isLoose: hasBlankBetween(blocks, text) }
  }
  const [list, ...others] = parse(source).tree?.children ?? []
  if (list?.type !== 'list' || others.length > 0) return null
  const [node, ...more] = list.children
  if (!node || more.length > 0) return null
  return { item: { node, source }, isLoose: Boolean(list.spread || node.spread) }
}

/** Returns what is in an item, without its marker and indent; null = its first line is special. */
function contentOf(source: string, width: number): string | null {
  const text = source.slice(width)
  return /^\s|^\[[ xX]\]\s/.test(text) ? null : text.replaceAll(`\n${' '.repeat(width)}`, '\n')
}

function endsBlank(source: string): boolean {
  return /\n[ \t]*\n$/.test(source)
}

/** Returns whether the blank lines at the end of an item are code, because no line closed it: they set nothing apart. */
function itemEndsInCode(item: Item): boolean {
  if ('blocks' in item) return endsInCode(item.blocks.at(-1))
  return treeEndsInCode(item.node, item.source)
}

function endsInCode(block: Block | undefined): boolean {
  if (block?.type === 'code') return block.isOpen
  if (block?.type === 'text') return treeEndsInCode(block.tree, block.source)
  const last = block?.type === 'list' ? block.items.at(-1) : undefined
  return last !== undefined && itemEndsInCode(last)
}

function treeEndsInCode(tree: MarkdownTree | ListItem | null, source: string): boolean {
  let last: MarkdownTree['children'][number] | undefined = tree?.children.at(-1)
  while (last && 'children' in last) last = last.children.at(-1)
  const end = last?.type === 'code' ? last.position?.end.offset : undefined
  return end !== undefined && end > source.trimEnd().length
}

/** Returns whether a blank line is between two things that stand directly in an item. */
function hasBlankBetween(blocks: Block[], text: string): boolean {
  const sources = markdownBlocks(text).slice(0, -1)
  const between = sources.some((source, at) => endsBlank(source) && !endsInCode(blocks[at]))
  return between || blocks.some((block) => block.type === 'text' && hasGap(block.tree))
}

function hasGap(tree: MarkdownTree | null): boolean {
  const places = tree?.children.map(({ position }) => position) ?? []
  return places.some((place, at) => {
    const before = places[at - 1]
    return place !== undefined && before !== undefined && place.start.line > before.end.line + 1
  })
}

const delimiterRow = /^\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/
const rowsAtOnce = 15

/** Returns a table in parts of a few rows. */
function asTable(source: string, parse: Parse): Block | null {
  const lines = source.trimEnd().split(/(?<=\n)/)
  const [head = '', delimiters = '', ...rows] = lines
  if (!head.startsWith('|') || !delimiterRow.test(delimiters.trim())) return null
  if (rows.some((row) => !row.startsWith('|'))) return null
  const groups = joinedGroups(rows, rowsAtOnce)
  const parts = (groups.length > 0 ? groups : ['']).map((group) => parse(head + delimiters + group))
  const areTables = parts.every(
    ({ tree }) => tree?.children.length === 1 && tree.children[0]?.type === 'table',
  )
  return areTables ? { type: 'table', parts } : null
}

/** A line that begins, ends or may change another kind of block than a paragraph. */
const special =
  /^\s|^[#>|=<]|^~~~|^```|^[-*+](?:\s|$)|^\d{1,9}[.)](?:\s|$)|^[-*_=\s]+$|\|| {2}$|\\$/
const shortPiece = 400
const longestSearch = 2_000
const pieceEnd = /[^\s\\][ \n](?=\p{L})/gu

/** Returns a paragraph in pieces. */
function asWords(source: string, parse: Parse): Block | null {
  const text = source.trimEnd()
  if (text === '' || text.split('\n').some((line) => special.test(line))) return null
  const pieces: Piece[] = []
  let from = 0
  for (;;) {
    const end = text.length - from > 2 * shortPiece ? closedEnd(text, from, parse) : text.length
    const piece = parse(text.slice(from, end))
    if (!isParagraph(piece)) return null
    pieces.push(piece)
    if (end === text.length) return { type: 'words', pieces }
    from = end
  }
}

function isParagraph({ tree }: Piece): boolean {
  return tree?.children.length === 1 && tree.children[0]?.type === 'paragraph'
}

/** Returns where the next piece ends: after a word before which nothing is open that later words could close. */
function closedEnd(text: string, from: number, parse: Parse): number {
  pieceEnd.lastIndex = from + shortPiece
  for (let found = pieceEnd.exec(text); found; found = pieceEnd.exec(text)) {
    const end = found.index + found[0].length
    if (end - from > longestSearch) break
    if (isClosed(text.slice(from, end), parse)) return end
    pieceEnd.lastIndex = end + 100
  }
  return text.length
}

/** Signs that cannot open anything: in words, between spaces, in brackets of their own. */
const harmless = /(?<=\w)_+(?=\w)|(?<=\s)[*~]+(?=\s)|\[[^[\]]*\]|<(?=[\s\d=])/g

function isClosed(source: string, parse: Parse): boolean {
  if (!/[*_~`[\]<\\]/.test(source)) return true
  const left = wordsIn(parse(source).tree)
  return !/[*_~`[\]<\\]/.test(left.replace(harmless, ''))
}

/** Returns the words of a tree that are not code. */
function wordsIn(node: unknown): string {
  const { type, value, children } = Object(node)
  if (type === 'text') return value
  return Array.isArray(children) ? children.map(wordsIn).join('') : ''
}
