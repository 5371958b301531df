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
