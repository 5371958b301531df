import 'server-only'
import type { Ctx } from '@/lib/kernel/context'
import { listTools } from './list-tools'
import type { GroupOff } from './tool-listing'

/** A group of tools; `off` null = its tools' own switches count. `on` counts those that are switched on. */
export type ToolGroupListing = {
  name: string
  enabled: boolean
  off: GroupOff | null
  tools: number
  on: number
}

/** Returns every group that has a tool of this installation, by name. Admins only. */
export async function listToolGroups(ctx: Ctx): Promise<ToolGroupListing[]> {
  const groups = new Map<string, ToolGroupListing>()
  for (const { group: name, groupOff: off, enabled, unavailable } of await listTools(ctx)) {
    const known = groups.get(name) ?? { name, enabled: off === null, off, tools: 0, on: 0 }
    groups.set(name, {
      ...known,
      tools: known.tools + 1,
      on: known.on + Number(enabled && unavailable === null),
    })
  }
  return [...groups.values()]
}
