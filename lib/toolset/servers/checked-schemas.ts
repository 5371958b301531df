import { z } from 'zod'
import type { ToolDefinitionRecord } from '@/lib/engines/mcp/definition'
import { closedParameters, readParameters } from '@/lib/engines/tools/argument-schema'
import { linearPattern, triedPattern } from '@/lib/json-schema/linear-pattern'
import { readSchema } from '@/lib/json-schema/read-schema'

/** Checked schemas of a definition. */
export type Checked = {
  parameters: Record<string, unknown>
  schema: z.ZodType
  /** Returns whether structured content is what the tool says that it returns. */
  fitsOutput: (value: unknown) => boolean
  /** Why the schema cannot be used; null = it can. */
  problem: string | null
}

/** By the hash of the definition, because reading a schema costs more than looking it up. */
const schemas = new Map<string, Checked>()
const mostKept = 2_000

/** Keeps a value; the one that was kept first goes when there are too many. */
export function remember<T>(kept: Map<string, T>, hash: string, value: T): void {
  const [first] = kept.keys()
  if (kept.size >= mostKept && first !== undefined) kept.delete(first)
  kept.set(hash, value)
}

/** Returns what the schemas of a definition with this hash became. */
export function checkedSchemas(hash: string, definition: ToolDefinitionRecord): Checked {
  const known = schemas.get(hash)
  if (known) return known
  const made = makeSchemas(definition)
  remember(schemas, hash, made)
  return made
}

/**
 * Returns why the schemas of a definition cannot be used; null = they can. Nothing of them is kept: a server may send others
 * again and again, and nobody calls what nobody accepted.
 */
export function schemaProblem(definition: ToolDefinitionRecord): string | null {
  return makeSchemas(definition, triedPattern).problem
}

/** Returns parameters as models are told them, whether or not their schema can be checked. */
export function offeredParameters(
  inputSchema: ToolDefinitionRecord['inputSchema'],
): Record<string, unknown> {
  const { $schema: _, ...parameters } = closedParameters(inputSchema)
  return parameters
}

function makeSchemas(
  { inputSchema, outputSchema }: ToolDefinitionRecord,
  toMatcher: typeof triedPattern = linearPattern,
): Checked {
  const parameters = offeredParameters(inputSchema)
  const read = readParameters(inputSchema, toMatcher)
  const output = outputSchema && readSchema(outputSchema, toMatcher)
  const problems = [
    ...(Array.isArray(read) ? read : []),
    ...(output?.type === 'refused' ? output.problems.map((problem) => `Result: ${problem}`) : []),
  ]
  if (Array.isArray(read) || problems.length > 0) {
    const problem = problems.join(' ').slice(0, 500)
    return { parameters, schema: z.never(), fitsOutput: () => false, problem }
  }
  return {
    parameters,
    schema: read.schema,
    fitsOutput: (value) => output?.type !== 'checked' || output.check(value).length === 0,
    problem: null,
  }
}
