import { isObject, type JsonObject, listAt, objectAt, textAt } from './json-value'

/** What arguments can be made of. `words` are in lower case. */
export type PromptFacts = {
  words: ReadonlySet<string>
  numbers: number[]
  quoted: string[]
  tokens: string[]
}

export function promptFacts(prompt: string): PromptFacts {
  return {
    words: new Set(prompt.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []),
    numbers: (prompt.match(/\b\d{1,6}\b/g) ?? []).map(Number),
    quoted: [...prompt.matchAll(/["“„'`]([^"“”„'`\n]{1,200})["”“'`]/g)].map(
      (match) => match[1] ?? '',
    ),
    tokens: prompt.split(/\s+/).flatMap(tokenIn),
  }
}

const longestToken = 300

/** A path, address or id in one word of the prompt, without the punctuation behind it. Longer words are none. */
function tokenIn(word: string): string[] {
  if (word.length > longestToken) return []
  return word.match(/\S*[\d/:][\w./:-]*\w/g) ?? []
}

/** Arguments for a tool from its JSON Schema and the prompt; null when a required one cannot be known. */
export function demoArguments(parameters: JsonObject, facts: PromptFacts): JsonObject | null {
  const required = new Set(listAt(parameters, 'required'))
  const chosen: JsonObject = {}
  for (const [name, schema] of Object.entries(objectAt(parameters, 'properties'))) {
    if (!isObject(schema)) continue
    const value = valueFor(name, concrete(schema), facts, required.has(name))
    if (value !== undefined) chosen[name] = value
    else if (required.has(name)) return null
  }
  return chosen
}

/** The variant of a nullable schema that is not null. */
function concrete(schema: JsonObject): JsonObject {
  const variants = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].filter(isObject)
  return variants.find((variant) => variant.type !== 'null') ?? schema
}

function valueFor(
  name: string,
  schema: JsonObject,
  facts: PromptFacts,
  required: boolean,
): unknown {
  const choices = listAt(schema, 'enum')
  if (choices.length > 0) {
    const named = choices.find((choice) => typeof choice === 'string' && mentions(facts, choice))
    return named ?? (required ? (schema.default ?? choices[0]) : undefined)
  }
  switch (textAt(schema, 'type')) {
    case 'integer':
    case 'number':
      return numberFor(name, schema, facts, required)
    case 'string':
      return textFor(name, facts, required)
    case 'boolean':
      return required ? (schema.default ?? false) : undefined
    case 'array':
      return required ? [] : undefined
    case 'object':
      return required ? {} : undefined
    default:
      return undefined
  }
}

/** "errors" asks for `error`. */
function mentions(facts: PromptFacts, choice: string): boolean {
  const word = choice.toLowerCase()
  return facts.words.has(word) || facts.words.has(`${word}s`)
}

function numberFor(name: string, schema: JsonObject, facts: PromptFacts, required: boolean) {
  const wanted = facts.numbers[0] ?? (name === 'limit' ? 10 : undefined)
  if (wanted === undefined) return required ? (schema.default ?? schema.minimum ?? 1) : undefined
  const least = typeof schema.minimum === 'number' ? schema.minimum : 1
  const most = typeof schema.maximum === 'number' ? schema.maximum : wanted
  return Math.min(Math.max(wanted, least), most)
}

function textFor(name: string, facts: PromptFacts, required: boolean): string | undefined {
  if (facts.quoted[0] !== undefined) return facts.quoted[0]
  if (!required) return undefined
  return /id$|uid|url|path|file/i.test(name) ? facts.tokens[0] : undefined
}
