import type { ToolExplanation } from '@/lib/toolset/explain-tools'
import type { PickableTool } from './tool-selection'

/** What of an explained tool goes to the browser. */
export function toPickable(tool: ToolExplanation): PickableTool {
  const { name, description, group, schemaTokens, verdict } = tool
  return { name, description, group, schemaTokens, verdict }
}
