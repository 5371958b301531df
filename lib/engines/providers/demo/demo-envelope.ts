import { isObject } from '@/lib/engines/providers/request/json-value'

/**
 * The prompt of a person, and the proposed answer that a role of a coordination receives with it; null: no proposal.
 */
export type RoleTask = { task: string; proposal: string | null }

const othersWrote =
  /\n\nBelow is what others wrote about it\. What stands between tags that end with (\w+) is /

/** Returns the task and the proposal in the prompt of a role. Any other prompt is a task. */
export function roleTask(prompt: string): RoleTask {
  const opening = 'The task:\n'
  const others = othersWrote.exec(prompt)
  if (!others || !prompt.startsWith(opening)) return { task: prompt, proposal: null }
  const task = prompt.slice(opening.length, others.index)
  return { task, proposal: proposalIn(prompt.slice(others.index), others[1] ?? '') }
}

function proposalIn(text: string, tag: string): string | null {
  const [, said = ''] = text.split(new RegExp(`</?proposal-${tag}>`))
  const value = parsed(said)
  return isObject(value) && typeof value.answer === 'string' ? value.answer : null
}

/**
 * Material for an answer of the demo: its own text, the proposal it received, and objections of text checks.
 * `isAtALoss`: it understood nothing of the prompt.
 */
type Said = {
  text: string
  proposal: string | null
  objections: readonly string[]
  isAtALoss: boolean
}

const noJudgement =
  'The demo is a script and cannot work this out. With a model, the answer stands here; who gets what, in which order and in which form is the same.'

/**
 * Returns the answer of the demo as a JSON value of the schema that the system prompt asks for, with the proposal or the text where
 * the schema has an answer; the text itself when it asks for none. Its verdict is that of the checks.
 */
export function asAsked(system: string, said: Said): string {
  const { text, proposal, objections, isAtALoss } = said
  const schema = schemaIn(system)
  if (!schema) return text
  const sample = sampleOf(schema, proposal ?? (isAtALoss ? noJudgement : text))
  if (objections.length === 0 || !isObject(sample) || !('verdict' in sample))
    return JSON.stringify(sample)
  const issues = objections.map((issue) => ({ severity: 'medium', quote: '', issue }))
  return JSON.stringify({ ...sample, verdict: 'revise', issues })
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
