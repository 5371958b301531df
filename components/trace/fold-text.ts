const foldedLines = 12
const foldedCharacters = 2_400
const chunkLines = 200
const chunkCharacters = 20_000

/** Returns the first lines of a text, and whether more follows. A very long line is cut too. */
export function foldText(text: string): { head: string; folded: boolean } {
  let at = -1
  for (let line = 0; line < foldedLines; line += 1) {
    at = text.indexOf('\n', at + 1)
    if (at === -1) break
  }
  const end = Math.min(at === -1 ? text.length : at, foldedCharacters)
  if (text.slice(end).trim() === '') return { head: text, folded: false }
  return { head: text.slice(0, wholeCharacter(text, end)), folded: true }
}

/** Cuts a long text into pieces a browser can leave unpainted while they are out of sight. */
export function textChunks(text: string): { text: string; lines: number }[] {
  const chunks: { text: string; lines: number }[] = []
  let from = 0
  while (from < text.length) {
    const { to, lines } = chunkEnd(text, from)
    const newline = text[to - 1] === '\n' ? 1 : 0
    chunks.push({ text: text.slice(from, to - newline), lines })
    from = to
  }
  return chunks
}

/**
 * Returns the end of a piece: after a number of lines, before the line that makes it too long, or within a longer line.
 */
function chunkEnd(text: string, from: number): { to: number; lines: number } {
  let to = from
  let lines = 0
  while (lines < chunkLines && to < text.length) {
    const newline = text.indexOf('\n', to)
    const next = newline === -1 ? text.length : newline + 1
    if (next - from > chunkCharacters) break
    to = next
    lines += 1
  }
  if (lines > 0) return { to, lines }
  return { to: wholeCharacter(text, Math.min(text.length, from + chunkCharacters)), lines: 1 }
}

/** Moves a cut that would divide a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index - 1)
  return code >= 0xd800 && code <= 0xdbff && index < text.length ? index - 1 : index
}
