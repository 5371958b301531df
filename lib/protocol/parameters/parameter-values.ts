import { z } from 'zod'
import { schemaProblems } from '@/lib/json-schema/output-schema'
import { formatCount } from '@/lib/words/format'

/** The API types: how a provider is spoken to. */
export const Wire = z.enum([
  'openai',
  'anthropic',
  'ollama',
  'openai-compatible',
  'azure-openai',
  'bedrock',
  'gemini',
  'demo',
])
export type Wire = z.infer<typeof Wire>

/** The names of the API types for people. */
export const wireWords: Record<Wire, string> = {
  openai: 'OpenAI (Responses)',
  anthropic: 'Anthropic',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible (Chat Completions)',
  'azure-openai': 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  gemini: 'Google Gemini',
  demo: 'Demo',
}

/** Reasoning efforts. The catalogue lists the ones that a model accepts. */
export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
export type ReasoningEffort = z.infer<typeof ReasoningEffort>

export const effortWords: Record<ReasoningEffort, string> = {
  none: 'None',
  minimal: 'Minimal',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Maximum',
}

const mostJsonCharacters = 100_000
const mostJsonDepth = 50

type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

/** A JSON object, as a person writes it into a form or a file. */
export const JsonObject = z.custom<JsonObject>(isJsonObject, {
  // Made when it is needed: the first number that is formatted takes several milliseconds.
  error: () =>
    `Write a JSON object, such as {"key": "value"}, of at most ${formatCount(mostJsonCharacters)} characters and ${mostJsonDepth} levels.`,
})

/** Tool choice in the first round; later rounds are `auto`, or no run would end. */
export const ToolChoice = z.union(
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

/** The names of the failures after which another model may be asked. */
export const fallbackKinds: Record<FallbackKind, string> = {
  connection: 'No connection',
  'rate-limited': 'Too many requests',
  server: 'Server error',
  auth: 'Key refused',
  'no-credit': 'No credit or quota',
  'not-found': 'Model not found',
  'web-page': 'Web page instead of an answer',
  'context-length': 'Prompt too long for the model',
  'broken-stream': 'Answer broke off before any text',
}

/** Returns a schema as the database stores it: as text, because jsonb loses the order of the properties. */
export function storedSchema(schema: JsonObject | null): string | null {
  return schema && JSON.stringify(schema)
}

/** A stored schema, or null. Objects are how schemas were stored before. */
export const StoredSchema = z.preprocess(fromStored, JsonObject.nullable())

function fromStored(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A JSON Schema that the answer of a run is to fit, when somebody sets it. */
export const OutputSchema = JsonObject.superRefine((schema, issues) => {
  for (const message of schemaProblems(schema)) issues.addIssue({ code: 'custom', message })
})

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
