import type { Effect } from '@/lib/protocol/tool'
import type { ToolDefinitionRecord } from './definition'

const hidden = /[\p{Cf}\p{Co}\p{Cn}\u{E0000}-\u{E007F}]/u
const orders =
  /\b(ignore|disregard|forget)\b.{0,40}\b(previous|above|earlier|other|all)\b|\byou must\b|\b(before|after|instead of) (using|calling) (any|other|another)\b|\bdo not (tell|mention|inform|ask)\b|<\s*(important|system|instructions?)\s*>/i
const secrets =
  /\b(api[ _-]?keys?|passwords?|secrets?|tokens?|credentials?|private keys?|ssh|\.env|id_rsa)\b/i

/**
 * Returns what is worth a second look in a definition before a person accepts it, as sentences. They warn; nothing is
 * decided by them. `others`: the names that other tools have.
 */
export function hintsAbout(
  definition: ToolDefinitionRecord,
  others: ReadonlySet<string>,
): string[] {
  const texts = textsOf([definition.title, definition.description, definition.inputSchema])
  const any = (pattern: RegExp) => texts.some((text) => pattern.test(text))
  const { name } = definition
  const sentences = [
    (hidden.test(name) || any(hidden)) && 'It has characters that nobody sees.',
    any(orders) && 'Its text gives orders to the model.',
    any(secrets) && 'Its text mentions keys, passwords or other secrets.',
    /[^\x20-\x7e]/.test(name) && 'Its name has letters that can be mistaken for others.',
    others.has(name) &&
      'Another tool has the same name, and a model may mistake one for the other.',
    texts.some((text) => [...others].some((other) => mentions(text, other))) &&
      'Its text is about another tool.',
  ]
  return sentences.filter((sentence) => sentence !== false)
}

/** Names of one plain word are too common to mean a tool. */
function mentions(text: string, name: string): boolean {
  return name.includes('_') && text.includes(name)
}

/** Returns all texts of a value: descriptions, titles, names of parameters, choices. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)])
}

const reading = /^(get|list|read|search|find|fetch|show|describe|count|query|look_?up|view|check)/i

/** Returns what a tool probably does, by its annotations and its name: a proposal that a person confirms or changes. */
export function proposedEffect({ name, annotations }: ToolDefinitionRecord): Effect {
  const { readOnlyHint, idempotentHint } = annotations ?? {}
  if (readOnlyHint === true) return 'read'
  if (readOnlyHint === undefined && reading.test(name)) return 'read'
  return idempotentHint === true ? 'idempotent-write' : 'write'
}
