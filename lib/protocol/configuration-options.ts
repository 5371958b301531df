import { z } from 'zod'
import { schemaProblems } from './output-schema'

/** How long a model may think; which of them a model takes is in the catalogue. */
export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])
export type ReasoningEffort = z.infer<typeof ReasoningEffort>

const mostJsonCharacters = 100_000
const mostJsonDepth = 50

type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** A JSON object, as a person writes it into a form or a file. */
export const JsonObject = z.custom<JsonObject>(
  isJsonObject,
  `Write a JSON object, such as {"key": "value"}, of at most ${mostJsonCharacters.toLocaleString('en')} characters and ${mostJsonDepth} levels.`,
)

/** Whether and which tool the model must ask for in the first round; later rounds are `auto`, or no run would end. */
const ToolChoice = z.union(
  [z.enum(['auto', 'required', 'none']), z.strictObject({ tool: z.string().min(1).max(100) })],
  'Choose auto, required, none, or one tool by its name.',
)

/** Failures after which the next model of the fallback chain is asked (SPEC R15). */
export const FallbackKind = z.enum([
  'connection',
  'rate-limited',
  'server',
  'auth',
  'no-credit',
  'not-found',
  'web-page',
  'context-length',
  'broken-stream',
])
export type FallbackKind = z.infer<typeof FallbackKind>

const fields = {
  /** How much the model writes. */
  verbosity: z.enum(['low', 'medium', 'high']).nullable(),
  toolChoice: ToolChoice.nullable(),
  parallelToolCalls: z.boolean().nullable(),
  serviceTier: z.string().trim().min(1).max(50, 'At most 50 characters.').nullable(),
  /** Further fields of the request's body; none that Toolgate sets itself. */
  extraBody: JsonObject.nullable(),
  /** Whether the provider is asked to keep the unchanged beginning of a conversation (SPEC R15d). */
  promptCaching: z.boolean(),
  /** The kinds of failures that are not handed to the next model. */
  noFallbackOn: z
    .array(FallbackKind)
    .max(20)
    .transform((kinds) => FallbackKind.options.filter((kind) => kinds.includes(kind))),
  /** Requests with tools that a run in prompted mode may make (SPEC W). */
  promptedHops: z.int('Enter a whole number.').min(1, 'At least 1.').max(20, 'At most 20.'),
  /** The JSON Schema of the answer; null = text (SPEC Q5). */
  outputSchema: z.preprocess(fromStored, JsonObject.nullable()),
}

/** A schema in the form that a database keeps: as text, for jsonb forgets the order of the properties. */
export function storedSchema(schema: JsonObject | null): string | null {
  return schema && JSON.stringify(schema)
}

/** A stored schema, or null. Objects are how schemas were stored before. */
export const StoredSchema = fields.outputSchema

function fromStored(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A JSON Schema (draft 2020-12) that the answer of a run is to fit, when somebody sets it. */
export const OutputSchema = JsonObject.superRefine((schema, issues) => {
  for (const message of schemaProblems(schema)) issues.addIssue({ code: 'custom', message })
})

/** What is changed of them; a field that is left out stays. */
export const OptionChanges = z
  .strictObject({ ...fields, outputSchema: OutputSchema.nullable() })
  .partial()
export type OptionChanges = z.infer<typeof OptionChanges>

/**
 * Parameters of a configuration that are stored together, in one column. Null = not sent, the model's default. What is
 * missing in a stored value has its default. What a person reads and types of each is in `option-descriptors`.
 */
export const ConfigurationOptions = z.object({
  verbosity: fields.verbosity.default(null),
  toolChoice: fields.toolChoice.default(null),
  parallelToolCalls: fields.parallelToolCalls.default(null),
  serviceTier: fields.serviceTier.default(null),
  extraBody: fields.extraBody.default(null),
  promptCaching: fields.promptCaching.default(true),
  noFallbackOn: fields.noFallbackOn.default([]),
  promptedHops: fields.promptedHops.default(2),
  outputSchema: fields.outputSchema.default(null),
})
export type ConfigurationOptions = z.infer<typeof ConfigurationOptions>

/** Options in the form that a database keeps. */
export function storedOptions(options: ConfigurationOptions) {
  return { ...options, outputSchema: storedSchema(options.outputSchema) }
}
export type OptionName = keyof ConfigurationOptions

export const defaultOptions: ConfigurationOptions = ConfigurationOptions.parse({})

/** Looks level by level: input may be nested deeper than a stack. */
function isJsonObject(value: unknown): boolean {
  if (!isPlainObject(value)) return false
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > mostJsonDepth || !level.every(isJsonValue)) return false
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    )
  }
  return JSON.stringify(value).length <= mostJsonCharacters
}

function isJsonValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (value === null || Array.isArray(value) || isPlainObject(value)) return true
  return typeof value === 'string' || typeof value === 'boolean'
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
