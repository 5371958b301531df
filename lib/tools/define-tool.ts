import { z } from 'zod'
import type { Actor, DataClass, Effect, ToolMeta, ToolResult } from '@/lib/protocol/tool'
import type { ToolResources } from './tool-resources'

/** What `execute` gets besides its arguments. `resources` is all a built-in may touch of this installation. */
export type ToolContext = {
  signal: AbortSignal
  actor: Actor
  runId: string
  callId: string
  resources: ToolResources
}

type Definition<P extends z.ZodObject> = {
  name: string
  description: string
  group: string
  parameters: P
  enabledByDefault: boolean
  requiresAdmin: boolean
  effect?: Effect
  dataClass?: DataClass
  timeoutMs?: number
  execute: (args: z.output<P>, context: ToolContext) => Promise<ToolResult>
}

/** A built-in as its file exports it: what is known about it, and how to run it. */
export type ToolDefinition = ToolMeta & {
  schema: z.ZodObject
  execute: (args: unknown, context: ToolContext) => Promise<ToolResult>
}

/** Checks and completes a tool's declaration. Undeclared effect and data class are the strictest (SPEC T1, T2). */
export function defineTool<P extends z.ZodObject>(definition: Definition<P>): ToolDefinition {
  const schema = definition.parameters.strict()
  return {
    name: definition.name,
    description: definition.description,
    group: definition.group,
    enabledByDefault: definition.enabledByDefault,
    requiresAdmin: definition.requiresAdmin,
    effect: definition.effect ?? 'write',
    dataClass: definition.dataClass ?? 'secret-adjacent',
    timeoutMs: definition.timeoutMs ?? 30_000,
    parameters: z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }),
    schema,
    // Arguments were parsed with this very schema by `bindTool`, the only caller.
    execute: (args, context) => definition.execute(args as z.output<P>, context),
  }
}
