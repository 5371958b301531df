import { Composer, CST, isMap, isScalar, isSeq, Lexer, Parser, type YAMLMap } from 'yaml'
import type { JsonValue } from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { formatCount } from '@/lib/words/format'
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
    if (!(error instanceof Refusal)) throw error
    const { message, line } = error
    const where = line === undefined ? '' : ` See line ${line + firstLine} of the file.`
    throw new ValidationError({ file: `${subject} ${message}${where}` })
  }
}

/** `line`: how many lines of the text are before the one that is refused. */
class Refusal extends Error {
  constructor(
    sentence: string,
    readonly line?: number,
  ) {
    super(sentence)
  }
}

/** Codes of the parser for an unquoted value in which a colon begins another map. */
const colonErrors: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW'])

function readDocument(text: string, firstLine: number): PlainRecord {
  const composer = new Composer({ version: '1.2', schema: 'core', stringKeys: true })
  const [document, another] = composer.compose(tokensOf(text), true, text.length)
  if (another) refuse('holds more than one YAML document.', lineAt(text, another.range[0]))
  const [problem] = [...(document?.errors ?? []), ...(document?.warnings ?? [])]
  if (problem) {
    const [start] = problem.pos
    const isColon = colonErrors.has(problem.code) && !/["']/.test(text.charAt(start))
    const why = isColon
      ? 'a value without quotes contains ": ". Put the whole value in quotes, such as description: "Use it: often".'
      : `${problem.message.slice(0, 200)}.`
    refuse(`cannot be read at line ${lineAt(text, start) + firstLine} of the file: ${why}`)
  }
  const root = document?.contents
  if (!isMap(root)) return refuse('has no keys. Write lines such as "name: my-skill".')
  return toRecord(root, text)
}

function lineAt(text: string, offset = 0): number {
  return text.slice(0, offset).split('\n').length - 1
}

/**
 * Returns the tokens, without recursion and before they are interpreted. Ends at the first token that is refused or
 * exceeds a limit, so that a refused text is not read to its end.
 */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser()
  let pieces = 0
  let line = 0
  let isText = false
  for (const piece of new Lexer().lex(text)) {
    pieces += 1
    if (pieces > maxPieces) refuse('is too large. Split it into several files.')
    const problem = isText ? undefined : refusedPieces[CST.tokenType(piece) ?? 'scalar']
    if (problem) refuse(problem, line)
    isText = !isText && piece === CST.SCALAR
    yield* parser.next(piece)
    refuseSize(parser.stack, line)
    line += piece.split('\n').length - 1
  }
  yield* parser.end()
}

/**
 * Throws when the text is too deep or too large. `stack` = the open collections, outermost first, with the document and
 * the last word.
 */
function refuseSize(stack: readonly CST.Token[], line: number): void {
  if (stack.filter(CST.isCollection).length > maxDepth) {
    refuse(`is nested deeper than ${maxDepth} levels.`, line)
  }
  const last = stack.at(-1)
  if (!CST.isCollection(last)) return
  const { length } = last.items
  const kind = last.type === 'flow-collection' ? last.start.type : last.type
  const hasKeys = kind === 'block-map' || kind === 'flow-map-start'
  if (hasKeys && length > maxKeys) refuse(`has a map with more than ${maxKeys} keys.`, line)
  if (!hasKeys && length > maxItems) {
    refuse(`has a list of more than ${formatCount(maxItems)} items.`, line)
  }
}

function toRecord({ items }: YAMLMap, text: string): PlainRecord {
  const entries = items.map(({ key: node, value }) => {
    const offset = isScalar(node) ? node.range?.[0] : undefined
    const key = isScalar(node) ? String(node.value) : ''
    if (refusedKeys.has(key)) refuse(`may not have the key ${key}.`, lineAt(text, offset))
    if (!isScalar(node) || cleanText(key) !== key || key.length > 200) {
      refuse('has a key that is not plain text.', lineAt(text, offset))
    }
    return [key, toJson(value, key, text)] as const
  })
  return Object.fromEntries(entries)
}

function toJson(node: unknown, key: string, text: string): JsonValue {
  if (node === null) return null
  if (isMap(node)) return toRecord(node, text)
  if (isSeq(node)) return node.items.map((item) => toJson(item, key, text))
  if (!isScalar(node)) {
    return refuse(`has a value in ${key} that is not plain text, a number, a list or a map.`)
  }
  const { value, range } = node
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') {
    if (cleanText(value) === value) return value
    return refuse(`has a control character in ${key}. Remove it.`, lineAt(text, range?.[0]))
  }
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
  if (typeof value === 'number' && isExact) return value
  return refuse(
    `has a number in ${key} that cannot be stored exactly. Put it in quotes.`,
    lineAt(text, range?.[0]),
  )
}

function refuse(sentence: string, line?: number): never {
  throw new Refusal(sentence, line)
}
