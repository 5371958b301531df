import { isObject } from '@/lib/engines/providers/request/json-value'
import type { ToolSpec } from '@/lib/protocol/tool'
import type { Args } from './demo-sentences'

/** Arguments with the names of those that the prompt did not give. */
export type Filled = { args: Args; filled: string[] }

/** Arguments that a call shares with the one before if the prompt does not give them. */
const lasting = ['workspace', 'path']

/**
 * Returns arguments with those that the tool needs besides: from the call before if both share them, else from the example of the
 * tool, else from its schema.
 */
export function withRequired(input: Args, tool: ToolSpec, before: Args = {}): Filled {
  const { parameters, example = {} } = tool
  const { properties, required } = schemaOf(parameters)
  const still = Object.entries(before).filter(
    ([name, value]) => value !== undefined && lasting.includes(name) && required.includes(name),
  )
  const args = { ...Object.fromEntries(still), ...input }
  // Arguments of an example belong together.
  const isWhole = Object.keys(args).length === 0 && required.length > 0
  const wanted = isWhole ? [...new Set([...required, ...Object.keys(example)])] : required
  const filled = wanted.filter((name) => !Object.hasOwn(args, name))
  const more = filled.map((name): [string, unknown] => [
    name,
    Object.hasOwn(example, name) ? example[name] : valueOfSchema(properties[name]),
  ])
  return { args: { ...args, ...Object.fromEntries(more) }, filled }
}

type Properties = Readonly<Record<string, unknown>>

function schemaOf(parameters: ToolSpec['parameters']): {
  properties: Properties
  required: string[]
} {
  const { properties, required } = parameters
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [],
  }
}

/** Returns a value that fits a schema, for whoever then replaces it. */
function valueOfSchema(schema: unknown): unknown {
  if (!isObject(schema)) return '…'
  const { const: only, default: usual, examples, enum: choices, type } = schema
  if (only !== undefined) return only
  if (usual !== undefined) return usual
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Array.isArray(choices) && choices.length > 0) return choices[0]
  const values: Readonly<Record<string, unknown>> = {
    number: 1,
    integer: 1,
    boolean: true,
    array: [],
    object: {},
    null: null,
  }
  const [first] = Array.isArray(type) ? type : [type]
  return Object.hasOwn(values, String(first)) ? values[String(first)] : '…'
}
