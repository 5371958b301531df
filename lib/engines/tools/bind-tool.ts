import type { Actor, ExecutableTool } from '@/lib/protocol/tool'
import { argumentIssues } from './argument-issues'
import type { ToolDefinition } from './define-tool'
import type { ToolResources } from './tool-resources'

/**
 * Ties a tool to what the person it runs for may touch of this installation, asked at each call: rights may have changed
 * since the run began (SPEC A2a). `parse` accepts strict JSON values only and answers with
 * sentences the model can act on (SPEC R11); `execute` expects what `parse` returned.
 */
export function bindTool(
  definition: ToolDefinition,
  resourcesFor: (actor: Actor) => ToolResources,
): ExecutableTool {
  const { schema, execute, ...meta } = definition
  return {
    ...meta,
    parse: (args) => {
      const result = schema.safeParse(args)
      if (result.success) return { ok: true, args: result.data }
      return { ok: false, issues: argumentIssues(result.error.issues, meta.parameters) }
    },
    execute: (args, context) =>
      execute(args, { ...context, resources: resourcesFor(context.actor) }),
  }
}
