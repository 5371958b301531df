import { isObject } from './json-value'

/**
 * Returns the answer of the demo as a JSON value of the schema that the system prompt asks for, with the text where the schema
 * has an answer; the text itself when it asks for none.
 */
export function asAsked(system: string, prompt: string, text: string): string {
  const schema = schemaIn(system)
  return schema ? JSON.stringify(sampleOf(schema, proposalIn(prompt) ?? text)) : text
}

/** Returns the schema that stands on a line of its own; null = there is none. */
function schemaIn(system: string): Record<string, unknown> | null {
  for (const line of system.split('\n').toReversed()) {
    if (!line.startsWith('{')) continue
    const value = parsed(line)
    if (isObject(value) && isObject(value.properties)) return value
  }
  return null
}

/** Returns the answer of the proposal that stands in the prompt of a later role; null = there is none. */
function proposalIn(prompt: string): string | null {
  const [, , said = ''] = /<(proposal-\w+)>\n([\s\S]*?)\n<\/\1>/.exec(prompt) ?? []
  const value = parsed(said)
  return isObject(value) && typeof value.answer === 'string' ? value.answer : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the plainest value that fits a schema: the script has nothing to say of its own. */
function sampleOf(schema: Record<string, unknown>, answer: string): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (schema.type) {
    case 'object': {
      const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
      return Object.fromEntries(
        properties.map(([name, part]) => [name, isObject(part) ? sampleOf(part, answer) : null]),
      )
    }
    case 'array':
      return []
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 0
    case 'boolean':
      return false
    default:
      return answer
  }
}
