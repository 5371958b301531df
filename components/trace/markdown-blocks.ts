const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/
const continues = /^(?:\s|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$))/
const definition = /^ {0,3}\[[^\]\n]+\]:/m

/**
 * Cuts Markdown between blocks that cannot influence one another, so that a growing answer is parsed only at its
 * end. Joined, the blocks are the text again. Never cuts inside a fence or a list, nor a text with link definitions.
 */
export function markdownBlocks(text: string): string[] {
  if (definition.test(text)) return [text]
  const blocks: string[] = []
  let from = 0
  let at = 0
  let open: string | null = null
  let afterBlank = false
  for (const line of text.split('\n')) {
    if (open === null && afterBlank && line.trim() !== '' && !continues.test(line)) {
      blocks.push(text.slice(from, at))
      from = at
    }
    open = fenceAfter(line, open)
    afterBlank = line.trim() === ''
    at += line.length + 1
  }
  blocks.push(text.slice(from))
  return blocks.filter((block) => block.trim() !== '')
}

/** Returns the fence that is open after `line`; `open` is the one that was open before it. */
function fenceAfter(line: string, open: string | null): string | null {
  const [, marks, rest = ''] = line.match(fence) ?? []
  if (marks === undefined) return open
  if (open === null) return marks.startsWith('`') && rest.includes('`') ? null : marks
  const closes = marks[0] === open[0] && marks.length >= open.length && rest.trim() === ''
  return closes ? null : open
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

const fenced = /^ {0,3}(`{3,}|~{3,})[^\n]*(?:\n|$)/

/** Returns the code of a block that is one fence and nothing else, complete or not yet; null for any other block. */
export function fencedCode(block: string): string | null {
  const [opening, marks] = block.match(fenced) ?? []
  if (opening === undefined || marks === undefined) return null
  if (marks.startsWith('`') && opening.trim().slice(marks.length).includes('`')) return null
  const body = block.slice(opening.length)
  const closing = new RegExp(`(?:^|\\n) {0,3}\\${marks[0]}{${marks.length},}[ \\t]*(?=\\n|$)`)
  const end = body.match(closing)
  if (end?.index === undefined) return body
  return body.slice(end.index + end[0].length).trim() === '' ? body.slice(0, end.index) : null
}
