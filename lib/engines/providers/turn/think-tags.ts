type Sink = { text: (text: string) => void; thought: (text: string) => void }

/** Models that write their thinking into the answer begin it with one of these. */
const tags = [
  { open: '<think>', close: '</think>' },
  { open: '<thought>', close: '</thought>' },
] as const

/** Blank characters before a tag; what is longer is an answer of its own. */
const longestStart = 64

/**
 * Tells thinking in tags from the answer after it, however both are cut: only a tag at the very start counts, and what
 * may be half a tag is held back until `flush`. `raw` is the content as it came when there was a tag, else null.
 */
export function createThinkSplitter(sink: Sink) {
  let mode: 'start' | 'thought' | 'gap' | 'text' = 'start'
  let close = ''
  let held = ''
  let raw = ''
  let begun = false

  function readStart(): boolean {
    const trimmed = held.trimStart()
    const tag = tags.find(({ open }) => trimmed.startsWith(open))
    if (tag) {
      mode = 'thought'
      close = tag.close
      held = trimmed.slice(tag.open.length)
      return true
    }
    if (held.length <= longestStart && tags.some(({ open }) => open.startsWith(trimmed)))
      return false
    mode = 'text'
    raw = ''
    return true
  }

  function think(text: string) {
    const said = begun ? text : text.trimStart()
    if (said === '') return
    begun = true
    sink.thought(said)
  }

  function readThought(): boolean {
    const end = held.indexOf(close)
    if (end !== -1) {
      think(held.slice(0, end))
      held = held.slice(end + close.length)
      mode = 'gap'
      return true
    }
    const kept = partOfTag(held, close)
    think(held.slice(0, held.length - kept))
    held = held.slice(held.length - kept)
    return false
  }

  function readGap(): boolean {
    held = held.trimStart()
    if (held !== '') mode = 'text'
    return held !== ''
  }

  function say() {
    if (held !== '') sink.text(held)
    held = ''
  }

  return {
    push(piece: string) {
      if (piece === '') return
      if (mode === 'text' && raw === '') return sink.text(piece)
      raw += piece
      held += piece
      if (mode === 'start' && !readStart()) return
      if (mode === 'thought' && !readThought()) return
      if (mode === 'gap' && !readGap()) return
      say()
    },
    flush() {
      if (mode === 'thought') think(held)
      else if (mode !== 'gap') say()
      held = ''
    },
    raw: (): string | null => (mode === 'start' || raw === '' ? null : raw),
  }
}

/** Returns how many characters at the end of a text may begin a tag. */
function partOfTag(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length
  }
  return 0
}
