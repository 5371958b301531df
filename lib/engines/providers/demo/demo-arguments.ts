import { isObject } from '@/lib/engines/providers/request/json-value'
import type { ToolSpec } from '@/lib/protocol/tool'
import {
  type Args,
  addressOf,
  type Before,
  isPath,
  isWord,
  type Step,
  textFrom,
  workspaceAt,
} from './demo-step'

/** Arguments with the names of those that the prompt did not give. */
export type Filled = { args: Args; filled: string[] }

/** Returns arguments with those that the tool needs besides: from its example, else from its schema. */
export function withRequired(args: Args, { parameters, example = {} }: ToolSpec): Filled {
  const { properties, required } = schemaOf(parameters)
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

/**
 * Returns the arguments that the words of a step give to a tool that is known by its schema alone: what is written as `name=value`
 * or `name: value`, and for those that it needs the next number, address, path, name or text that fits.
 */
export function argumentsOf(step: Step, { parameters }: ToolSpec, before: Before): Args {
  const { properties, required } = schemaOf(parameters)
  const { args, rest } = writtenOut(step, properties)
  for (const name of required) {
    if (Object.hasOwn(args, name)) continue
    const value = nextValue(name, properties[name], rest, before)
    if (value !== undefined) Object.assign(args, { [name]: value })
  }
  return args
}

/** Returns what is written as `name=value`, and the step without it. */
function writtenOut(step: Step, properties: Properties): { args: Args; rest: Step } {
  const args: Args = Object.create(null)
  const used = new Set<number>()
  for (const [at, { kind, text }] of step.tokens.entries()) {
    const [, name = '', value = ''] = /^([\w-]+)[=:](.*)$/s.exec(kind === 'word' ? text : '') ?? []
    if (!Object.hasOwn(properties, name)) continue
    const next = step.tokens[at + 1]
    const written = value === '' ? next?.text : value
    if (written === undefined) continue
    args[name] = typed(written, properties[name])
    used.add(at)
    if (value === '') used.add(at + 1)
  }
  const tokens = step.tokens.filter((_, at) => !used.has(at))
  return { args: { ...args }, rest: { ...step, tokens } }
}

function typed(text: string, schema: unknown): unknown {
  const type = isObject(schema) ? schema.type : undefined
  if (type === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return type === 'array' ? text.split(',') : text
  }
}

const names: Readonly<Record<'address' | 'path' | 'place', RegExp>> = {
  address: /ur[li]|link|address/i,
  path: /path|file|folder|directory/i,
  place: /workspace|repo|project|owner|name|channel|table|source|site|database/i,
}

/** Returns the next thing of the step that can be this argument, which is then used up; undefined = there is none. */
function nextValue(name: string, schema: unknown, step: Step, before: Before): unknown {
  const { type, enum: choices } = isObject(schema) ? schema : {}
  if (Array.isArray(choices)) return choices.find((each) => step.words.includes(String(each)))
  if (type === 'integer' || type === 'number') {
    const found = taken(step, ({ kind, text }) => kind === 'word' && /^-?\d+(\.\d+)?$/.test(text))
    return found === undefined ? undefined : Number(found)
  }
  if (type !== 'string') return undefined
  if (names.address.test(name)) {
    const address = addressOf(step)
    return address === null ? undefined : taken(step, ({ text }) => text === address)
  }
  if (names.path.test(name)) return taken(step, isPath) ?? before.path
  const quoted = taken(step, ({ kind }) => kind === 'quoted')
  if (quoted !== undefined) return quoted
  if (names.place.test(name)) {
    const at = workspaceAt(step)
    return at === -1 ? before.workspace : taken(step, (token) => token === step.tokens[at])
  }
  const at = step.tokens.findIndex((token) => isWord(token, 'with', 'for', 'saying', 'about'))
  return at === -1 ? undefined : textFrom(step, at + 1) || undefined
}

/** Returns the text of the first token that fits, and takes it out of the step. */
function taken(step: Step, fits: (token: Step['tokens'][number]) => boolean): string | undefined {
  const found = step.tokens.find(fits)
  if (found) step.tokens = step.tokens.filter((token) => token !== found)
  return found?.text
}
