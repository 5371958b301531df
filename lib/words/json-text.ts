import { cleanText } from './clean-text'

/** Position of a value in JSON text. */
type Span = readonly [start: number, end: number]

/** A value and the JSON text that it was parsed from. */
export type ParsedJson = { text: string; value: object }

/** The JSON text of objects and lists whose numbers must keep every digit: a parsed number has about 16 of them. */
const texts = new WeakMap<object, string>()
const spansOf = new WeakMap<object, Map<object, Span>>()

/**
 * Returns the JSON text of a part of `whole`: its strings and numbers just as they stand there, without the white space
 * around them. `exactJson` writes the part so from then on. What is neither list nor object is written anew.
 */
export function exactText(part: unknown, whole: ParsedJson): string {
  const span = isStructure(part) ? spansIn(whole).get(part) : undefined
  if (!span || !isStructure(part)) return JSON.stringify(part) ?? 'null'
  const text = withoutBlanks(whole.text.slice(...span))
  texts.set(part, text)
  return text
}

/** Parses JSON text that a person typed. What is no JSON stays text, which whoever checks the value refuses. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Parses JSON text into a value that `exactJson` writes as that text. Throws for what is no JSON. */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isStructure(value)) texts.set(value, text)
  return value
}

/** Writes a value as JSON, the parts whose text is known as that text. */
export function exactJson(value: unknown): string {
  if (!isStructure(value)) return JSON.stringify(value) ?? 'null'
  const known = texts.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${exactJson(inner)}`).join(',')}}`
}

/** Returns the first number of JSON text that `JSON.parse` would make another number of; null = none. */
export function changedNumber(json: string): string | null {
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '"') at = endOfString(json, at) - 1
    else if (/[-\d]/.test(json[at] ?? '')) {
      numberAt.lastIndex = at
      const [number = ''] = numberAt.exec(json) ?? []
      if (isChanged(number)) return number
      at += number.length - 1
    }
  }
  return null
}

const numberAt = /[-\d][\d.eE+-]*/y
const wholeNumber = /^-?\d+$/

/**
 * Returns whether parsing changes a number. Fractions lose digits that nothing depends on; a whole number may be the name of
 * something.
 */
function isChanged(number: string): boolean {
  const parsed = Number(number)
  if (!Number.isFinite(parsed)) return true
  return wholeNumber.test(number) && BigInt(number) !== BigInt(parsed)
}

/** No searched value is deeper in an event of a provider; a hostile event may have millions of levels. */
const deepestPart = 32

type Open = { value: unknown; start: number; key: string | number | null }

/**
 * Returns where the lists and objects of a value are in its text, down to `deepestPart`, by going through both at once.
 */
function spansIn({ text, value: root }: ParsedJson): Map<object, Span> {
  const known = spansOf.get(root)
  if (known) return known
  const spans = new Map<object, Span>()
  const open: Open[] = []
  let levelsBelow = 0
  for (let at = 0; at < text.length; at++) {
    const inside = open.at(-1)
    switch (text[at]) {
      case '{':
      case '[':
        if (open.length === deepestPart) levelsBelow++
        else
          open.push({
            value: inside ? memberOf(inside) : root,
            start: at,
            key: text[at] === '[' ? 0 : null,
          })
        break
      case '}':
      case ']':
        if (levelsBelow > 0) {
          levelsBelow--
          break
        }
        open.pop()
        // Of two members of one name the last one counts, here as in what was parsed.
        if (inside && isStructure(inside.value)) spans.set(inside.value, [inside.start, at + 1])
        break
      case ',':
        if (inside && levelsBelow === 0)
          inside.key = typeof inside.key === 'number' ? inside.key + 1 : null
        break
      case '"': {
        const end = endOfString(text, at)
        if (inside && inside.key === null && levelsBelow === 0)
          inside.key = JSON.parse(text.slice(at, end)) as string
        at = end - 1
        break
      }
    }
  }
  spansOf.set(root, spans)
  return spans
}

function memberOf({ value, key }: Open): unknown {
  if (!isStructure(value) || key === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string | number, unknown>)[key]
}

/** Returns JSON text without the white space around its strings, numbers and signs. */
function withoutBlanks(json: string): string {
  if (!/\s/.test(json)) return json
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < json.length; at++) {
    if (json[at] === '"') at = endOfString(json, at) - 1
    else if (blank.has(json[at] ?? '')) {
      pieces.push(json.slice(from, at))
      from = at + 1
    }
  }
  pieces.push(json.slice(from))
  return pieces.join('')
}

const blank: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r'])

/** Returns the place after the closing quote of a string that begins at `at`. */
function endOfString(json: string, at: number): number {
  for (let place = at + 1; place < json.length; place++) {
    if (json[place] === '\\') place += 1
    else if (json[place] === '"') return place + 1
  }
  return json.length
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Returns JSON text with sorted keys and no spaces: equal for equal values. Text that is not JSON is returned as it is.
 */
export function canonicalJson(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    // Not JSON, or nested too deeply: only identical text is equal.
    return text.trim()
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Maximum depth of lists and objects in the arguments of a call. */
export const mostLevels = 64

const quote = 34
const backslash = 92
const opening = new Set([91, 123])
const closing = new Set([93, 125])

/**
 * Returns whether JSON text is nested too deeply. It is checked in one pass before parsing, because whatever walks such
 * a value later (JSON.stringify, a schema) would run out of stack.
 */
export function nestedTooDeeply(json: string): boolean {
  let levels = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) inText = !inText
    else if (inText) at += code === backslash ? 1 : 0
    else if (closing.has(code)) levels--
    else if (opening.has(code) && ++levels > mostLevels) return true
  }
  return false
}

/** Returns the sentence about a name that stands twice. */
export function twiceWords(name: string): string {
  return `${JSON.stringify(name.slice(0, 60))} stands twice in one object. Give each name once.`
}

const colonAt = /[ \t\n\r]*:/y

/** Returns a name that stands twice in one object of JSON text, of which readers take the first or the last; null = none. */
export function nameTwice(json: string): string | null {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '{' || sign === '[') open.push(sign === '{' ? new Set() : null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = endOfString(json, at)
      const names = open.at(-1)
      colonAt.lastIndex = end
      if (names && colonAt.test(json)) {
        const name: unknown = JSON.parse(json.slice(at, end))
        if (typeof name !== 'string' || names.has(name)) return String(name)
        names.add(name)
      }
      at = end - 1
    }
  }
  return null
}

const fenceLine = /^ {0,3}`{3,}[^`\n]*$/gm
const jsonFence = /^ *`+ *(?:json)?\s*$/i

/**
 * Returns the text of an answer that should be JSON: without a code fence around the whole of it, or the one fenced block
 * of JSON that stands among words.
 */
export function answerJson(text: string): string {
  const [open, close, ...more] = [...text.matchAll(fenceLine)]
  const isOnly = open && close && more.length === 0
  if (!isOnly || !jsonFence.test(open[0]) || !/^`+$/.test(close[0].trim()))
    return unfenced(text.trim())
  return text.slice(open.index + open[0].length, close.index).trim()
}

/**
 * Returns the JSON value of an answer, fit for a page and the database; undefined when it is not exactly one.
 */
export function structuredAnswer(text: string): unknown {
  const json = answerJson(text)
  if (nestedTooDeeply(json)) return undefined
  try {
    return clean(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** Returns the text in a code fence, or the whole text when there is no fence. */
export function unfenced(text: string): string {
  const fence = /^`{3}[\w-]{0,20}\s/.exec(text.slice(0, 64))
  return fence && text.endsWith('```') ? text.slice(fence[0].length, -3).trim() : text
}

/** Returns the value without characters that a database cannot store, which JSON text can escape. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(clean)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cleanText(name), clean(inner)]),
  )
}

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

/**
 * Reads the JSONPath we know: `$`, `.name`, `['any name']`, `[0]` and `[*]`. `message` tells a person what is wrong.
 */
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
