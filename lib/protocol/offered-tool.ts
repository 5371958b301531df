import { z } from 'zod'
import { DataClass, Effect, type ToolMeta } from './tool'

/** Facts about one tool that the trace shows even after the tool is gone. */
export const OfferedTool = z.object({
  name: z.string(),
  description: z.string(),
  group: z.string(),
  effect: Effect,
  dataClass: DataClass,
})
export type OfferedTool = z.infer<typeof OfferedTool>

/** Returns what the journal keeps of a tool that a run is offered. */
export function offeredTool({
  name,
  description,
  group,
  effect,
  dataClass,
}: ToolMeta): OfferedTool {
  return { name, description, group, effect, dataClass }
}
