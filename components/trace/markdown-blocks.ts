/** The beginning of an item, and a line across the page, which may look like one. */
export const marker = /^ {0,3}([-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)| *$)/
export const ruler = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/
const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const continues = /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/
/** Patterns of blocks that need no blank line before them. */
const heading = /^#{1,6}(?: |$)/
const list = /^(?:[-*+]|1[.)]) +\S/
/** A marker without words. */
const emptyItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) *$/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Cuts Markdown between blocks that cannot influence one another, so that a growing answer is parsed only at its
 * end. Joined, the blocks are the text again. Never cuts inside a fence or a list, after code of which only the parser
 * knows where it ends, nor a text with link definitions.
 */
export function markdownBlocks(text: string): string[] {
  if (definition.test(text)) return [text]
  const blocks: string[] = []
  let from = 0
  let at = 0
  let open: string | null = null
  let before = ''
  // Kinds of line that continue the current block: another list may be part of a list, and anything may be part of
  // HTML.
  let hasList = false
  let hasHtml = false
  let isDone = false
  let inItem = false
  /** Column of the words of the last item; 0: no item. */
  let width = 0
  // True = only the parser knows if the last item goes on, and so whether code that begins now belongs to it.
  let isUnsure = false
  for (const line of text.split('\n')) {
    // A line to the left of an item ends it, with all that is open in it.
    if (inItem && line.trim() !== '' && indentOf(line) < width) open = null
    const after = fenceAfter(line, open)
    inItem = after !== null && (open === null ? width > 0 && indentOf(line) >= width : inItem)
    const isBlank = line.trim() === ''
    const isHeading = open === null && heading.test(line)
    const begins = isHeading || (after !== null && /^[`~]/.test(line)) || list.test(line)
    const isApart = before.trim() === '' && !(hasList ? continues : /^\s/).test(line)
    const isCut = isApart || isDone || (begins && !(hasList && list.test(line)))
    if (open === null && !isBlank && at > from && isCut && (isApart || !hasHtml)) {
      blocks.push(text.slice(from, at))
      from = at
      hasList = false
      hasHtml = false
      isUnsure = false
      width = 0
    }
    if (isUnsure && open === null && after !== null && line.startsWith(' ')) break
    isDone = isHeading || (after === null && open !== null && /^[`~]/.test(line))
    if (open === null) {
      const [begin = ''] = ruler.test(line) ? [] : (line.match(marker) ?? [])
      const isLeft = begin === '' && !isBlank && indentOf(line) < width
      // It may be more words of the item, or its dash may make the words above a heading.
      isUnsure ||= before.trim() !== '' && (isLeft || emptyItem.test(line))
      if (begin !== '' && (width === 0 || indentOf(line) < width)) width = begin.length
      else if (isLeft) width = 0
      hasList ||= continues.test(line) || line.startsWith('>')
      hasHtml ||= /^ {0,3}</.test(line)
    }
    open = after
    before = line
    at += line.length + 1
  }
  blocks.push(text.slice(from))
  return blocks.filter((block) => block.trim() !== '')
}

export function indentOf(line: string): number {
  return line.length - line.replace(/^ +/, '').length
}

/** Returns the fence that is open after `line`; `open` is the one that was open before it. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, marks, rest = ''] = line.match(fence) ?? []
  if (marks === undefined) return open
  if (open === null) return marks.startsWith('`') && rest.includes('`') ? null : marks
  const closes = marks[0] === open[0] && marks.length >= open.length && rest.trim() === ''
  return closes ? null : open
}

/** Returns whether a fence that stands in no list is open at the end of a block. */
export function endsInFence(block: string): boolean {
  let open: string | null = null
  for (const line of block.split('\n')) open = fenceAfter(line, open)
  return open !== null
}

const longestBlock = 10_000
const mostMarks = 1_500
const deepNesting = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){30}/m

/**
 * Returns whether a block may be parsed as Markdown. Parsers need quadratic time for unmatched marks and nested quotes;
 * a model under a stranger's control must not block the page, or the server that renders it.
 */
export function isCheapMarkdown(block: string): boolean {
  if (block.length > longestBlock || deepNesting.test(block)) return false
  let marks = 0
  for (const character of block) {
    if ('[]*_~`<'.includes(character)) marks += 1
  }
  return marks <= mostMarks
}

const fenced = /^( {0,3})(`{3,}|~{3,})[^\n]*(?:\n|$)/

/** Returns the code of a block that is one fence and nothing else, complete or not yet; null for any other block. */
export function fencedCode(block: string): string | null {
  const [opening, indent = '', marks] = block.match(fenced) ?? []
  if (opening === undefined || marks === undefined) return null
  if (marks.startsWith('`') && opening.trim().slice(marks.length).includes('`')) return null
  const body = block.slice(opening.length)
  const closing = new RegExp(`(?:^|\\n) {0,3}\\${marks[0]}{${marks.length},}[ \\t]*(?=\\n|$)`)
  const end = body.match(closing)
  if (end?.index !== undefined && body.slice(end.index + end[0].length).trim() !== '') return null
  const code = body.slice(0, end?.index)
  return indent === '' ? code : code.replace(new RegExp(`^ {1,${indent.length}}`, 'gm'), '')
}
