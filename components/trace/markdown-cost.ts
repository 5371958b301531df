const longestBlock = 10_000
const mostMarks = 1_500
const deepNesting = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){30}/m

/**
 * Whether a block may be parsed as Markdown. Parsers need time that grows with the square of unmatched marks and of
 * nested quotes; a steered model must not stop the page, or the server that renders it.
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

/** The code of a block that is one fence and nothing else, finished or still growing; null for any other block. */
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
