import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { isObject } from '@/lib/engines/providers/request/json-value'
import { toolParameters } from '@/lib/engines/providers/request/tool-schema'
import type { ToolSpec } from '@/lib/protocol/tool'

type ToolParameters = ReturnType<typeof toolParameters>

/** The parameters of a tool as they are sent. `strict` = the API is to keep the model to them. */
export type ClaudeTool = { tool: ToolSpec; parameters: ToolParameters; strict: boolean }

/** Limits for all strict tools of one request together, from Anthropic's guide on structured outputs. */
const most = { tools: 20, optional: 24, unions: 16 }

/** Models from before structured outputs, which refuse the field. */
const tooOld = /claude-(?:[23]|instant|(?:opus|sonnet)-4(?:-[01])?(?:-\d{8}|@|-v\d|$))/

/**
 * Returns the tools of a request as Claude models take them. A tool is strict where the API can keep the model to its
 * schema: with closed objects and without recursion. What the API cannot check, bounds and patterns, becomes words for
 * the model. The first tools of the offer count first towards the limits of a request. Returns none as strict when
 * `mayBeStrict` is false.
 */
export function claudeTools(tools: readonly ToolSpec[], mayBeStrict: boolean): ClaudeTool[] {
  const used = { tools: 0, optional: 0, unions: 0 }
  return tools.map((tool) => {
    const strict = mayBeStrict ? strictForm(tool) : null
    if (strict === null) return looseForm(tool)
    const isOver =
      used.tools + 1 > most.tools ||
      used.optional + strict.optional > most.optional ||
      used.unions + strict.unions > most.unions
    if (isOver) return looseForm(tool)
    used.tools += 1
    used.optional += strict.optional
    used.unions += strict.unions
    return strict.tool
  })
}

/** Returns whether a Claude model, by its id or that of an inference profile, takes strict tools. */
export function takesStrictTools(modelId: string): boolean {
  return /claude-/.test(modelId) && !tooOld.test(modelId)
}

/** Returns whether the API refused strict tools as such, or schemas that are too much for it. */
export function isStrictRefused(body: string): boolean {
  return /\bstrict\b|compiled grammar|grammar compilation|schema is too complex|too many (?:strict|optional|union)/i.test(
    body,
  )
}

type Strict = { tool: ClaudeTool; optional: number; unions: number }

const strictForms = new WeakMap<ToolSpec, Strict | 'none'>()
const looseForms = new WeakMap<ToolSpec, ClaudeTool>()

function looseForm(tool: ToolSpec): ClaudeTool {
  const known = looseForms.get(tool)
  if (known) return known
  const form = { tool, parameters: toolParameters(tool), strict: false }
  looseForms.set(tool, form)
  return form
}

function strictForm(tool: ToolSpec): Strict | null {
  const known = strictForms.get(tool) ?? makeStrict(tool)
  strictForms.set(tool, known)
  return known === 'none' ? null : known
}

function makeStrict(tool: ToolSpec): Strict | 'none' {
  const parameters = toolParameters(tool)
  const counts = { optional: 0, unions: 0 }
  if (!canBeStrict(parameters, counts, 0)) return 'none'
  const sent: ToolParameters = { ...transformJSONSchema(parameters), type: 'object' }
  return { tool: { tool, parameters: sent, strict: true }, ...counts }
}

/** Keywords that `transformJSONSchema` sends on or writes into the description, without forbidding a valid value. */
const known = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'default',
  'examples',
  '$comment',
  'deprecated',
])
const deepest = 10

/**
 * Returns whether the strict form allows every value that the schema does, and counts what the limits are about. Optional
 * properties and choices are what makes a grammar large.
 */
function canBeStrict(
  schema: unknown,
  counts: { optional: number; unions: number },
  depth: number,
): boolean {
  if (!isObject(schema) || depth > deepest) return false
  if (!Object.keys(schema).every((keyword) => known.has(keyword))) return false
  const { type, anyOf, items, properties } = schema
  const values = [...(Array.isArray(schema.enum) ? schema.enum : []), schema.const ?? null]
  if (values.some((value) => value !== null && typeof value === 'object')) return false
  const saysWhatItIs = [type, anyOf, schema.enum, schema.const].some((said) => said !== undefined)
  if (!saysWhatItIs) return false
  const isClosed = type === 'object' && schema.additionalProperties === false
  if ((type === 'object' || properties !== undefined) && !isClosed) return false
  if (Array.isArray(type) && type.some((name) => name === 'object' || name === 'array'))
    return false
  if (type === 'array' && items === undefined) return false
  if (anyOf !== undefined || Array.isArray(type)) counts.unions += 1
  const inner = [
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
    ...Object.values(isObject(properties) ? properties : {}),
  ]
  if (isObject(properties)) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    counts.optional += Object.keys(properties).filter((name) => !required.has(name)).length
  }
  return inner.every((part) => canBeStrict(part, counts, depth + 1))
}
