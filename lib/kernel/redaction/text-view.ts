/** A part of a text: from its first character to the one after its last. */
export type Span = { start: number; end: number }

/**
 * A text as it reads in another form. `starts[i]` and `ends[i]` say where in the original text its character i begins and
 * ends.
 */
export type TextView = { text: string; starts: Uint32Array; ends: Uint32Array }

/** A part of a text that another form leaves out, or writes as one character. */
type Piece = Span & { instead: string }

/** Returns where in the original text a part of its other form stands. */
export function originalSpan({ starts, ends }: TextView, { start, end }: Span): Span {
  return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }
}

/** Returns the text with other characters for its pieces. `below`: the form that `text` is of another one. */
function viewWith(text: string, pieces: readonly Piece[], below: TextView | null): TextView {
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  const parts: string[] = []
  let length = 0
  let from = 0
  const add = (part: string, start: number, end: number) => {
    starts[length] = below?.starts[start] ?? start
    ends[length] = below?.ends[end - 1] ?? end
    if (part !== '') parts.push(part)
    length += 1
  }
  const copy = (until: number) => {
    parts.push(text.slice(from, until))
    for (let index = from; index < until; index++) add('', index, index + 1)
  }
  for (const { start, end, instead } of pieces) {
    copy(start)
    if (instead !== '') add(instead, start, end)
    from = end
  }
  copy(text.length)
  return { text: parts.join(''), starts, ends }
}

const escapes = /%[0-9A-Fa-f]{2}|\\u00[0-7][0-9A-Fa-f]|\\[/*_`[\]]/g

/** Returns the text without its percent signs and escapes of JSON and Markdown; null = it has none. */
export function unescapedView(text: string, below: TextView | null): TextView | null {
  const pieces: Piece[] = []
  for (const match of text.matchAll(escapes)) {
    const [written] = match
    const code =
      written.length === 2 ? written.charCodeAt(1) : Number.parseInt(written.slice(-2), 16)
    if (code > 0x7e || (code < 0x20 && code !== 0x0a)) continue
    const instead = String.fromCharCode(code)
    pieces.push({ start: match.index, end: match.index + written.length, instead })
  }
  return pieces.length === 0 ? null : viewWith(text, pieces, below)
}

/** Returns the text as if each line that goes on in the next one were one with it; null = there is none. */
export function unfoldedView(text: string, folds: readonly Span[]): TextView | null {
  if (folds.length === 0) return null
  const pieces = folds.map((fold) => ({ ...fold, instead: '' }))
  return viewWith(text, pieces, null)
}

/** A line break, as it is or as an escape, with the indentation of the next line; or the border of two short texts of a list. */
const lineEnd = /\r?\n[ \t]*|(?:\\r)?\\n[ \t]*|["'],[ \t]?(?=\\?["'])/g
const closing = /\\?["'`][ \t]{0,2}[,+.]?[ \t]{0,2}$/
const opening = /\\?["'`]/y
/** A line of settings: a name, a sign and a value. */
const entry = /[ \t]{0,40}(?:export )?["']?[A-Za-z_@][\w.@/-]{0,80}["']?[ \t]{0,2}[:=][ \t]*[^\s=]/y

/** Lines that are folded are at least so long, and texts of a list at least half of it. */
const foldedLine = 48

/** Returns whether a secret that begins on a line may go on in the next one. */
export function mayGoOn(line: string): boolean {
  return line.length >= foldedLine || line.endsWith('\\')
}

/**
 * Returns where a text may have been folded: line breaks between two characters that are no space, after a long line or a
 * backslash, with quotes, commas and indentation that stand there.
 */
export function foldsOf(text: string): Span[] {
  const folds: Span[] = []
  let line = 0
  for (const match of text.matchAll(lineEnd)) {
    const fold = foldAt(text, line, match.index, match[0])
    line = match.index + match[0].length
    if (fold) folds.push(fold)
  }
  return folds
}

function foldAt(text: string, line: number, at: number, written: string): Span | null {
  const next = at + written.length
  const isList = written.startsWith('"') || written.startsWith("'")
  const isContinued = !isList && text[at - 1] === '\\'
  const before = isContinued ? at - 1 : at
  const quote = isList
    ? ''
    : (closing.exec(text.slice(Math.max(line, before - 8), before))?.[0] ?? '')
  opening.lastIndex = next
  const opened = opening.exec(text)?.[0] ?? ''
  const isQuoted = isList || (quote !== '' && opened !== '')
  const start = isQuoted && !isList ? before - quote.length : before
  const end = isQuoted ? next + opened.length : next
  const width = start - line
  const isExplicit = isContinued || (isQuoted && quote.includes('+'))
  if (!isExplicit && width < (isQuoted ? foldedLine / 2 : foldedLine)) return null
  if (!isDense(text[start - 1]) || !isDense(text[end])) return null
  // A line of a stack.
  if (text.startsWith('at ', next)) return null
  return isEntry(text, line) && isEntry(text, next) ? null : { start, end }
}

function isDense(character: string | undefined): boolean {
  return character !== undefined && /[^\s"'`\\()[\]{}<>|]/.test(character)
}

function isEntry(text: string, line: number): boolean {
  entry.lastIndex = line
  return entry.test(text)
}
