import type { Effect } from '@/lib/protocol/tool'
import type { ToolDefinitionRecord } from './definition'

const hidden = /[\p{Cf}\p{Co}\p{Cn}\u{E0000}-\u{E007F}]/u
const orders =
  /\b(ignore|disregard|forget)\b.{0,40}\b(previous|above|earlier|other|all)\b|\byou must\b|\b(before|after|instead of) (using|calling) (any|other|another)\b|\bdo not (tell|mention|inform|ask)\b|<\s*(important|system|instructions?)\s*>/i
const secrets =
  /\b(api[ _-]?keys?|passwords?|secrets?|tokens?|credentials?|private keys?|ssh|\.env|id_rsa)\b/i

/** The most characters of a definition that are looked at. A server decides how long it is. */
const mostLooked = 64 * 1024

/**
 * Returns what is worth a second look in a definition before a person accepts it, as sentences. They warn; nothing is
 * decided by them. `others`: the names that other tools have.
 */
export function hintsAbout(
  definition: ToolDefinitionRecord,
  others: ReadonlySet<string>,
): string[] {
  const { name, title, description, inputSchema } = definition
  const { text, isWhole } = textOf([title, description, inputSchema])
  const sentences = [
    (hidden.test(name) || hidden.test(text)) && 'It has characters that nobody sees.',
    orders.test(text) && 'Its text gives orders to the model.',
    secrets.test(text) && 'Its text mentions keys, passwords or other secrets.',
    /[^\x20-\x7e]/.test(name) && 'Its name has letters that can be mistaken for others.',
    others.has(name) &&
      'Another tool has the same name, and a model may mistake one for the other.',
    namesOneOf(text, others) && 'Its text is about another tool.',
    !isWhole && `Its text is long. Only the first ${shownMost} characters were looked at.`,
  ]
  return sentences.filter((sentence) => sentence !== false)
}

const shownMost = mostLooked.toLocaleString('en-US')

/** Forms of a possible name: as written, with the signs that some names contain, and without the signs around it. */
const words = [
  /[\p{L}\p{N}_]+/gu,
  /[\p{L}\p{N}](?:[\p{L}\p{N}_./:-]*[\p{L}\p{N}])?/gu,
  /[\p{L}\p{N}](?:[\p{L}\p{N}_]*[\p{L}\p{N}])?/gu,
]

/**
 * Returns whether a text names one of these tools. Its words are looked up among the names, because others may have
 * thousands of tools. Names of one plain word are too common to mean a tool.
 */
function namesOneOf(text: string, names: ReadonlySet<string>): boolean {
  return words.some((word) =>
    text.match(word)?.some((found) => found.includes('_') && names.has(found)),
  )
}

/** Returns all texts of a value, a line each: descriptions, titles, names of parameters, choices. */
function textOf(value: unknown): { text: string; isWhole: boolean } {
  const texts: string[] = []
  let left = mostLooked
  const add = (part: unknown): void => {
    if (typeof part === 'string') {
      if (left > 0) texts.push(part.slice(0, left))
      left -= part.length + 1
    } else if (Array.isArray(part)) part.forEach(add)
    else if (typeof part === 'object' && part !== null) Object.entries(part).flat().forEach(add)
  }
  add(value)
  return { text: texts.join('\n'), isWhole: left >= 0 }
}

const reading = /^(get|list|read|search|find|fetch|show|describe|count|query|look_?up|view|check)/i

/** Returns what a tool probably does, by its annotations and its name: a proposal that a person confirms or changes. */
export function proposedEffect({ name, annotations }: ToolDefinitionRecord): Effect {
  const { readOnlyHint, idempotentHint } = annotations ?? {}
  if (readOnlyHint === true) return 'read'
  if (readOnlyHint === undefined && reading.test(name)) return 'read'
  return idempotentHint === true ? 'idempotent-write' : 'write'
}
