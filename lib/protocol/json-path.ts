/** One step of a path: a name of an object, a place in an array, or everything in either. */
export type PathStep =
  | { type: 'name'; name: string }
  | { type: 'index'; index: number }
  | { type: 'all' }

export type ParsedPath = { ok: true; steps: PathStep[] } | { ok: false; message: string }

const maxCharacters = 500
const maxSteps = 32
/** Sticky: each is tried at the place that was reached. */
const dotted = /\.([\p{L}\p{N}_$-]+)/uy
const quoted = /\['((?:[^'\\]|\\['\\])*)'\]/uy
const indexed = /\[(\d{1,9})\]/y
const everything = /\[\*\]/y

/** Reads the JSONPath we know: `$`, `.name`, `['any name']`, `[0]` and `[*]`. `message` tells a person what is wrong. */
export function parseJsonPath(text: string): ParsedPath {
  if (text.length > maxCharacters) return fault(`A path has at most ${maxCharacters} characters.`)
  if (!text.startsWith('$')) return fault('A path begins with $, as in $.user.email.')
  const steps: PathStep[] = []
  let at = 1
  while (at < text.length) {
    const found = stepAt(text, at)
    if (!found) {
      return fault(
        `The path cannot be read from "${text.slice(at, at + 20)}". Use .name, ['any name'], [0] or [*].`,
      )
    }
    if (steps.push(found.step) > maxSteps) return fault(`A path has at most ${maxSteps} steps.`)
    at = found.end
  }
  return { ok: true, steps }
}

function stepAt(text: string, at: number): { step: PathStep; end: number } | null {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const name = match(dotted)
  if (name) return { step: { type: 'name', name: name[1] ?? '' }, end: at + name[0].length }
  const inQuotes = match(quoted)
  if (inQuotes) {
    const unescaped = (inQuotes[1] ?? '').replace(/\\(.)/gu, '$1')
    return { step: { type: 'name', name: unescaped }, end: at + inQuotes[0].length }
  }
  const index = match(indexed)
  if (index) return { step: { type: 'index', index: Number(index[1]) }, end: at + index[0].length }
  const all = match(everything)
  return all && { step: { type: 'all' }, end: at + all[0].length }
}

function fault(message: string): ParsedPath {
  return { ok: false, message }
}
