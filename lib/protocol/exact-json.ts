/** Where a value stands in JSON text. */
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

/** Fractions lose digits that nothing depends on; a whole number may be the name of something. */
function isChanged(number: string): boolean {
  const parsed = Number(number)
  if (!Number.isFinite(parsed)) return true
  return wholeNumber.test(number) && BigInt(number) !== BigInt(parsed)
}

/** Nothing that is asked for stands deeper in an event of a provider; a hostile one may have millions of levels. */
const deepestPart = 32

type Open = { value: unknown; start: number; key: string | number | null }

/** Where the lists and objects of a value stand in its text, as deep as `deepestPart`, told by going through both at once. */
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

/** JSON text without the white space around its strings, numbers and signs. */
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

/** The place after the closing quote of a string that begins at `at`. */
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
