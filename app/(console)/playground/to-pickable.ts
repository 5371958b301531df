import type { ToolExplanation } from '@toolgate/server/toolset/policy/explain-tools'
import type { PickableTool } from './tool-selection'

/** Returns the part of an explained tool that the browser needs. */
export function toPickable(tool: ToolExplanation): PickableTool {
  const { name, description, group, schemaTokens, verdict, approval } = tool
  return { name, description, group, schemaTokens, verdict, waits: approval?.always === true }
}
