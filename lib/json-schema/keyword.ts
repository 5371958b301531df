import type { Check, SchemaNode, Scope } from './check-value'

export type JsonObject = Record<string, unknown>

/** Returns whether a text contains a match. `steps`: how many it takes at worst for each character of the text. */
export type Matcher = { matches: (text: string) => boolean; steps: number }

/** Context that a keyword may use while its schema is read. */
export type Reading = {
  /** The schema that the keyword stands in. */
  schema: JsonObject
  /** Reads a schema below this one that is about another value. `at`: where it is, such as `properties.name`. */
  read: (schema: unknown, at: string) => SchemaNode
  /** Reads a schema below this one that is about the same value. */
  readSame: (schema: unknown, at: string) => SchemaNode
  /** Reads the schema that a reference names. */
  refer: (reference: string) => SchemaNode
  /** Reads the schemas that a reference may name, depending on where the check comes from. */
  referDynamically: (reference: string) => (scope: Scope | null) => SchemaNode
  matcher: (pattern: string, at: string) => Matcher
  /** Draft 2019-09: `contains` marks no items. */
  containsMarks: boolean
}

/** Turns the value of a keyword into a check; null = it checks nothing. Throws a SchemaFault. */
export type Keyword = (value: unknown, reading: Reading) => Check | null

/** An error of a keyword, as a sentence. `at`: the keyword, if it is not the one that is read. */
export class SchemaFault extends Error {
  constructor(
    message: string,
    readonly at?: string,
  ) {
    super(message)
  }
}

/** Throws the sentence about a value that a keyword cannot have. */
export function must(condition: boolean, message: string, at?: string): asserts condition {
  if (!condition) throw new SchemaFault(message, at)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

export const countWords = 'This must be a whole number, 0 or more.'
