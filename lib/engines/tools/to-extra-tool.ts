import { z } from 'zod'
import { isObject, type JsonObject } from '@/lib/json-schema/keyword'
import { Artifact } from '@/lib/protocol/files/artifact'
import {
  type CallContext,
  DataClass,
  Effect,
  LeftOut,
  ToolError,
  type ToolResult,
} from '@/lib/protocol/tool'
import { cleanText } from '@/lib/words/clean-text'
import { readParameters } from './argument-schema'
import { type ToolDefinition, toolDefaults, toolName } from './define-tool'

type ExtraExecute = (args: unknown, context: CallContext) => unknown
type ExtraBecomes = (args: unknown) => unknown

const isFunction = (value: unknown) => typeof value === 'function'

/** Parameters are kept as the JSON that a provider would get, which the module cannot change later. */
const Parameters = z
  .unknown()
  .transform((value, context): JsonObject => {
    const parameters = asJson(value)
    if (isObject(parameters)) return parameters
    context.addIssue('must be an object made of JSON values')
    return z.NEVER
  })
  .default({ type: 'object' })

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return null
  }
}

/**
 * Export of an operator's module. `parameters` is a JSON Schema object; a field that is left out gets the strictest
 * value: off, for admins, a write of secret-adjacent data.
 */
const ExtraTool = z.strictObject({
  name: z
    .string()
    .regex(
      toolName,
      'must be lower-case words joined by single underscores, at most 64 characters',
    ),
  description: z.string().min(1).max(4_000),
  group: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be a lower-case word')
    .default('extra'),
  parameters: Parameters,
  enabledByDefault: z.boolean().default(false),
  requiresAdmin: z.boolean().default(true),
  effect: Effect.default(toolDefaults.effect),
  dataClass: DataClass.default(toolDefaults.dataClass),
  trusted: z.boolean().default(false),
  timeoutMs: z.int().min(100).max(600_000).default(toolDefaults.timeoutMs),
  execute: z.custom<ExtraExecute>(isFunction, 'must be a function'),
  look: z
    .strictObject({
      read: z.custom<ExtraExecute>(isFunction, 'must be a function'),
      becomes: z.custom<ExtraBecomes>(isFunction, 'must be a function').optional(),
    })
    .optional(),
})

const ExtraResult = z.strictObject({
  content: z.json(),
  images: z
    .array(z.strictObject({ data: z.instanceof(Uint8Array), name: z.string().optional() }))
    .optional(),
  artifacts: z.array(Artifact).optional(),
  leftOut: z.array(LeftOut.strict()).optional(),
})

/** Turns a module's default export into a tool; one that cannot be used is a tool that is not loaded. */
export function toExtraTool(file: string, exported: unknown): ToolDefinition {
  const result = ExtraTool.safeParse(exported)
  if (!result.success) return unusableTool(file, exported, result.error.issues.map(issueText))
  const { execute, look, parameters, ...meta } = result.data
  const checked = readParameters(parameters)
  if (Array.isArray(checked)) return unusableTool(file, exported, checked)
  return {
    ...meta,
    ...checked,
    ...(look && {
      look: {
        read: async (args, context) =>
          textOrNull(file, await runModule(look.read, args, withoutResources(context))),
        becomes: (args) => textOrNull(file, look.becomes?.(args) ?? null),
      },
    }),
    execute: async (args, context) =>
      // A module gets no resources.
      checkResult(file, await runModule(execute, args, withoutResources(context))),
  }
}

function withoutResources(context: CallContext): CallContext {
  return {
    get signal() {
      return context.signal
    },
    actor: context.actor,
    runId: context.runId,
    configurationId: context.configurationId,
    callId: context.callId,
  }
}

/** Returns what a module saw. Throws when it is neither text nor null. */
function textOrNull(file: string, seen: unknown): string | null {
  if (seen === null || typeof seen === 'string') return seen
  throw new Error(`The look of the extra tool ${file} must give text or null.`)
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.') || 'its default export'}: ${message}`
}

function unusableTool(file: string, exported: unknown, problems: string[]): ToolDefinition {
  const sentences = problems.map((problem) => problem.replace(/\.$/, '')).join('; ')
  return toolNotLoaded(file, exported, `${file} cannot be used: ${sentences}.`)
}

/** Fields that are shown of a module that cannot be used. Its errors do not matter here. */
const Shown = z.object({
  name: ExtraTool.shape.name.optional().catch(undefined),
  description: ExtraTool.shape.description.optional().catch(undefined),
  group: ExtraTool.shape.group.catch('extra'),
})

const longestReason = 500

/**
 * Returns a tool that no gate lets run, with the reason. It has the name that the module gives itself, so that no other file
 * takes it with the switches and rules that people made for it; without one, the name of the file.
 */
export function toolNotLoaded(file: string, exported: unknown, reason: string): ToolDefinition {
  const { name, description, group = 'extra' } = Shown.safeParse(exported).data ?? {}
  return {
    name: name ?? nameOfFile(file),
    description: description ?? `The extra tool ${file}.`,
    group,
    parameters: { type: 'object', additionalProperties: false },
    enabledByDefault: false,
    requiresAdmin: true,
    ...toolDefaults,
    notLoaded: cleanText(reason).replace(/\s+/g, ' ').slice(0, longestReason),
    schema: z.never(),
    execute: () => Promise.reject(new Error(`The extra tool ${file} is not loaded.`)),
  }
}

function nameOfFile(file: string): string {
  const name = file.replace(/\.mjs$/, '').replaceAll('-', '_')
  return toolName.test(name) ? name : file
}

/** Returns whether a result is text and nothing else, as nearly all are: the schema would only copy it. */
function isText(returned: unknown): returned is { content: string } {
  if (typeof returned !== 'object' || returned === null) return false
  for (const field in returned) if (field !== 'content') return false
  return 'content' in returned && typeof returned.content === 'string'
}

/**
 * Runs the module's tool. A module outside the bundle cannot import our ToolError, so an error of that name with a code
 * counts as one.
 */
async function runModule(
  execute: ExtraExecute,
  args: unknown,
  context: CallContext,
): Promise<unknown> {
  try {
    return await execute(args, context)
  } catch (error) {
    if (
      error instanceof Error &&
      error.name === 'ToolError' &&
      'code' in error &&
      typeof error.code === 'string'
    ) {
      throw new ToolError(error.code, error.message)
    }
    throw error
  }
}

function checkResult(file: string, returned: unknown): ToolResult {
  if (isText(returned)) return { content: returned.content }
  const result = ExtraResult.safeParse(returned)
  if (result.success) return result.data
  throw new Error(
    `The extra tool ${file} must return { content, images?, artifacts?, leftOut? } made of JSON values, and the data of each image as a Uint8Array.`,
  )
}
