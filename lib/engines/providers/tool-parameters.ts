import type { ToolSpec } from '@/lib/protocol/tool'

/** A tool's schema as the wires take it: an object with `properties`, without `$schema`, which some servers refuse. */
export function toolParameters(tool: ToolSpec): { type: 'object'; [key: string]: unknown } {
  const { $schema: _dialect, ...schema } = tool.parameters
  return { properties: {}, ...schema, type: 'object' }
}
