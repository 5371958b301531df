import { type CST, Lexer, Parser, parseDocument } from 'yaml'
import { ValidationError } from './errors'
import { cleanText } from './protocol/clean-text'
import type { JsonValue } from './protocol/tool'

/** Deeper, the parser's own recursion could end the process. */
const maxDepth = 16
/** The parser compares each key of a mapping with every other one. */
const maxKeys = 200
const maxItems = 5_000
/** Words, marks, spaces and line ends; some 100,000 of them are read in a second. */
const maxPieces = 250_000
/** A key of these names could reach an object's prototype; `<<` merges in YAML 1.1. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype', '<<'])

const refusedTokens: Record<string, string> = {
  anchor: 'uses an anchor (&name). Write the value instead.',
  alias: 'uses an alias (*name). Write the value instead.',
  tag: 'uses a tag (!name). Only plain values are allowed.',
  directive: 'has a %directive. Remove it.',
  'doc-end': 'has a line "...". Remove it.',
}

/** What a record of plain YAML is once it is read. */
export type PlainRecord = { [key: string]: JsonValue }

/**
 * YAML that stands for a plain JSON object. Nothing in it is ever run: anchors, aliases, tags, directives, merge keys and
 * prototype keys are refused, as is what JSON cannot say. `text` begins at line `firstLine` of its file; `subject` is how
 * sentences begin ("The front matter"). Throws ValidationError with one sentence for the field `file`.
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
  refuseSyntax(text)
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) {
    const line = text.slice(0, problem.pos[0]).split('\n').length + firstLine - 1
    refuse(`cannot be read at line ${line} of the file: ${problem.message.slice(0, 200)}.`)
  }
  const value: unknown = document.toJS({ maxAliasCount: 0 })
  if (!isRecord(value)) refuse('has no keys. Write lines such as "name: my-skill".')
  return toJson(value)
}

/** Looks at the tokens, which are found without recursion, before anything makes sense of them. */
function refuseSyntax(text: string): void {
  const pending: [token: unknown, depth: number][] = []
  let documents = 0
  for (const token of tokensOf(text)) {
    if (token.type === 'document') documents += 1
    pending.push([token, 0])
  }
  if (documents > 1) refuse('holds more than one YAML document.')
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [token, depth] = next
    if (depth > maxDepth) refuseDepth()
    if (Array.isArray(token)) for (const part of token) pending.push([part, depth])
    else if (isToken(token)) pending.push(...partsOf(token, depth))
  }
}

/** Ends at the first piece that is too much, so that a text nobody takes is not read to its end. */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser()
  let pieces = 0
  for (const piece of new Lexer().lex(text)) {
    pieces += 1
    if (pieces > maxPieces) refuse('is too large. Split it into several files.')
    yield* parser.next(piece)
    const { stack } = parser
    // Beside the collections there are the document and what is just being read.
    if (stack.length > maxDepth + 2) refuseDepth()
    const last = stack.at(-1)
    if (last) refuseLength(last)
  }
  yield* parser.end()
}

function refuseDepth(): never {
  return refuse(`is nested deeper than ${maxDepth} levels.`)
}

function refuseLength(token: CST.Token): void {
  if (!('items' in token)) return
  const { length } = token.items
  if (isMapping(token)) {
    if (length > maxKeys) refuse(`has a map with more than ${maxKeys} keys.`)
  } else if (length > maxItems) {
    refuse(`has a list of more than ${maxItems.toLocaleString('en')} items.`)
  }
}

function isMapping(token: CST.Token): boolean {
  if (token.type === 'block-map') return true
  return token.type === 'flow-collection' && token.start.type === 'flow-map-start'
}

/** A collection's items are one level deeper. */
function partsOf(token: CST.Token, depth: number): [unknown, number][] {
  const problem = refusedTokens[token.type]
  if (problem) refuse(problem)
  refuseLength(token)
  return Object.entries(token).map(([key, part]) => [part, key === 'items' ? depth + 1 : depth])
}

/** Items of collections have no type of their own. */
function isToken(value: unknown): value is CST.Token {
  return typeof value === 'object' && value !== null
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
