import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import {
  Artifact,
  type CallContext,
  DataClass,
  Effect,
  ToolError,
  type ToolResult,
} from '@/lib/protocol/tool'
import { builtinTools } from './builtin/index.generated'
import { type ToolDefinition, toolDefaults, toolName } from './define-tool'

/**
 * Loads the tools of an operator's folder: each `*.mjs` default-exports one plain object, with the fields that
 * to-extra-tool.ts names. Rejects with one sentence that names the file when a module is unusable, or when its name
 * belongs to a built-in tool or another file, because a tool that silently replaced another would bypass the gates.
 */
export async function loadExtraTools(directory: string): Promise<ToolDefinition[]> {
  const folder = resolve(directory)
  const files = (await readFolder(folder)).filter((file) => file.endsWith('.mjs')).sort()
  const owners = new Map(builtinTools.map((tool) => [tool.name, 'a built-in tool']))
  const tools: ToolDefinition[] = []
  for (const file of files) {
    const tool = toExtraTool(file, await importModule(folder, file))
    const owner = owners.get(tool.name)
    if (owner !== undefined) {
      throw new Error(
        `The extra tool ${file} calls itself ${tool.name}, the name of ${owner}. Rename it.`,
      )
    }
    owners.set(tool.name, `the extra tool ${file}`)
    tools.push(tool)
  }
  return tools
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (cause) {
    throw new Error(
      `The folder of extra tools, ${folder}, cannot be read. Check TOOLGATE_EXTRA_TOOLS_DIR.`,
      { cause },
    )
  }
}

/** Imports a module. The bundler must leave this import alone, because the path is known only when the server runs. */
async function importModule(folder: string, file: string): Promise<unknown> {
  const address = pathToFileURL(resolve(/* turbopackIgnore: true */ folder, file)).href
  try {
    const module: { default?: unknown } = await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address
    )
    return module.default
  } catch (cause) {
    throw new Error(`The extra tool ${file} cannot be loaded: ${String(cause)}`, { cause })
  }
}

type ExtraExecute = (args: unknown, context: CallContext) => unknown

const ParametersSchema = z.looseObject({ type: z.literal('object') })

/**
 * What an operator's module exports. `parameters` is a JSON Schema (draft 2020-12) object; what is left out is the
 * strictest: off, for admins, a write of secret-adjacent data.
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
  parameters: ParametersSchema.default({ type: 'object' }),
  enabledByDefault: z.boolean().default(false),
  requiresAdmin: z.boolean().default(true),
  effect: Effect.default(toolDefaults.effect),
  dataClass: DataClass.default(toolDefaults.dataClass),
  timeoutMs: z.int().min(100).max(600_000).default(toolDefaults.timeoutMs),
  execute: z.custom<ExtraExecute>((value) => typeof value === 'function', 'must be a function'),
})

const ExtraResult = z.strictObject({
  content: z.json(),
  images: z
    .array(z.strictObject({ data: z.instanceof(Uint8Array), name: z.string().optional() }))
    .optional(),
  artifacts: z.array(Artifact).optional(),
})

/** Returns whether a result is text and nothing else, as nearly all are: the schema would only copy it. */
function isText(returned: unknown): returned is { content: string } {
  if (typeof returned !== 'object' || returned === null) return false
  for (const field in returned) if (field !== 'content') return false
  return 'content' in returned && typeof returned.content === 'string'
}

/** Turns a module's default export into a tool. Throws one sentence naming the file. */
function toExtraTool(file: string, exported: unknown): ToolDefinition {
  const result = ExtraTool.safeParse(exported)
  if (!result.success) {
    const problems = result.error.issues.map(
      (issue) => `${issue.path.join('.') || 'its default export'}: ${issue.message}`,
    )
    throw new Error(`The extra tool ${file} is not usable: ${problems.join('; ')}.`)
  }
  const { execute, ...meta } = result.data
  const parameters = { additionalProperties: false, ...meta.parameters }
  return {
    ...meta,
    parameters,
    schema: argumentSchema(file, parameters),
    execute: async (args, context) => {
      // A module gets no resources.
      const own = {
        get signal() {
          return context.signal
        },
        actor: context.actor,
        runId: context.runId,
        callId: context.callId,
      }
      return checkResult(file, await runModule(execute, args, own))
    },
  }
}

function argumentSchema(file: string, parameters: z.infer<typeof ParametersSchema>): z.ZodType {
  try {
    return z.fromJSONSchema(parameters)
  } catch (cause) {
    throw new Error(
      `The extra tool ${file} has parameters that cannot be checked: ${String(cause)}`,
      { cause },
    )
  }
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
    `The extra tool ${file} must return { content, images?, artifacts? } made of JSON values, and the data of each image as a Uint8Array.`,
  )
}
