import 'server-only'
import { listToolGroupsOff } from '@/lib/domains/tool-settings/list-tool-groups-off'
import { listToolOverrides } from '@/lib/domains/tool-settings/list-tool-overrides'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import type { ToolNeed } from '@/lib/protocol/tool'
import { installedTools } from './installed-tools'
import { type ToolListing, toListing } from './tool-listing'

/** Returns every tool of this installation with its switch, sorted by group and name. Admins only. */
export async function listTools(ctx: Ctx): Promise<ToolListing[]> {
  requireRole(ctx, 'admin')
  return readListings()
}

/** Returns the same without checking the role. Callers decide what they show. */
export async function readListings(): Promise<ToolListing[]> {
  const [tools, overrides, groupsOff, storage] = await Promise.all([
    installedTools(),
    listToolOverrides(db()),
    listToolGroupsOff(db()),
    db().storage.findFirst({ select: { id: true } }),
  ])
  const byName = new Map(overrides.map((override) => [override.toolName, override]))
  const offByGroup = new Map(groupsOff.map((off) => [off.toolGroup, off]))
  const present = new Set<ToolNeed>(storage ? ['storage'] : [])
  return tools
    .map((tool) => toListing(tool, byName.get(tool.name), offByGroup.get(tool.group), present))
    .sort((a, b) => a.group.localeCompare(b.group) || a.name.localeCompare(b.name))
}
