import { Composer, CST, Lexer, Parser } from 'yaml'
import { cleanText } from '../protocol/clean-text'
import type { JsonValue } from '../protocol/tool'
import { ValidationError } from './errors'

/** With a deeper text, the parser's own recursion could end the process. */
const maxDepth = 16
/** The parser compares each key of a mapping with every other one. */
const maxKeys = 200
const maxItems = 5_000
/** Words, marks, spaces and line ends; some 100,000 of them are read in a second. */
const maxPieces = 250_000
/** A key of these names could reach an object's prototype; `<<` merges in YAML 1.1. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype', '<<'])

const refusedPieces: Partial<Record<CST.TokenType, string>> = {
  anchor: 'uses an anchor (&name). Write the value instead.',
  alias: 'uses an alias (*name). Write the value instead.',
  tag: 'uses a tag (!name). Only plain values are allowed.',
  'directive-line': 'has a %directive. Remove it.',
}

/** The JSON object of a plain YAML text. */
export type PlainRecord = { [key: string]: JsonValue }

/**
 * Parses YAML that stands for a plain JSON object. Nothing in it is executed: anchors, aliases, tags, directives, merge
 * keys, prototype keys and values that JSON does not have are refused. `text` begins at line `firstLine` of its file;
 * `subject` begins the sentences ("The front matter"). Throws ValidationError with one sentence for the field `file`.
 */
export function parsePlainYaml(
  text: string,
  { subject, firstLine = 1 }: { subject: string; firstLine?: number },
): PlainRecord {
  try {
    return readDocument(text, firstLine)
  } catch (error) {
    if (error instanceof Refusal) throw new ValidationError({ file: `${subject} ${error.message}` })
    throw error
  }
}

class Refusal extends Error {}

function readDocument(text: string, firstLine: number): PlainRecord {
  const composer = new Composer({ version: '1.2', schema: 'core', stringKeys: true })
  const [document, another] = composer.compose(tokensOf(text), true, text.length)
  if (another) refuse('holds more than one YAML document.')
  const [problem] = [...(document?.errors ?? []), ...(document?.warnings ?? [])]
  if (problem) {
    const line = text.slice(0, problem.pos[0]).split('\n').length + firstLine - 1
    refuse(`cannot be read at line ${line} of the file: ${problem.message.slice(0, 200)}.`)
  }
  const value: unknown = document?.toJS({ maxAliasCount: 0 })
  if (!isRecord(value)) refuse('has no keys. Write lines such as "name: my-skill".')
  return toJson(value)
}

/**
 * Returns the tokens, without recursion and before they are interpreted. Ends at the first token that is refused or
 * exceeds a limit, so that a refused text is not read to its end.
 */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser()
  let pieces = 0
  let isScalar = false
  for (const piece of new Lexer().lex(text)) {
    pieces += 1
    if (pieces > maxPieces) refuse('is too large. Split it into several files.')
    const problem = isScalar ? undefined : refusedPieces[CST.tokenType(piece) ?? 'scalar']
    if (problem) refuse(problem)
    isScalar = !isScalar && piece === CST.SCALAR
    yield* parser.next(piece)
    refuseSize(parser.stack)
  }
  yield* parser.end()
}

/**
 * Throws when the text is too deep or too large. `stack` = the open collections, outermost first, with the document and
 * the last word.
 */
function refuseSize(stack: readonly CST.Token[]): void {
  if (stack.filter(CST.isCollection).length > maxDepth) {
    refuse(`is nested deeper than ${maxDepth} levels.`)
  }
  const last = stack.at(-1)
  if (!CST.isCollection(last)) return
  const { length } = last.items
  const kind = last.type === 'flow-collection' ? last.start.type : last.type
  const isMap = kind === 'block-map' || kind === 'flow-map-start'
  if (isMap && length > maxKeys) refuse(`has a map with more than ${maxKeys} keys.`)
  if (!isMap && length > maxItems) {
    refuse(`has a list of more than ${maxItems.toLocaleString('en')} items.`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toJson(record: Record<string, unknown>): PlainRecord {
  const entries = Object.entries(record).map(([key, value]) => {
    if (refusedKeys.has(key)) refuse(`may not have the key ${key}.`)
    if (cleanText(key) !== key || key.length > 200) refuse('has a key that is not plain text.')
    return [key, toJsonValue(key, value)] as const
  })
  return Object.fromEntries(entries)
}

function toJsonValue(key: string, value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (cleanText(value) === value) return value
    return refuse(`has a control character in ${key}. Remove it.`)
  }
  if (typeof value === 'number') {
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
    if (exact) return value
    return refuse(`has a number in ${key} that cannot be stored exactly. Put it in quotes.`)
  }
  if (Array.isArray(value)) return value.map((item) => toJsonValue(key, item))
  if (isRecord(value)) return toJson(value)
  return refuse(`has a value in ${key} that is not plain text, a number, a list or a map.`)
}

function refuse(sentence: string): never {
  throw new Refusal(sentence)
}
