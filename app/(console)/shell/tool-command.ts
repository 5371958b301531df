import type { ToolListing } from '@/lib/toolset/tool-listing'
import { isOn, noToolFilter, writeToolFilter } from '../tools/tool-filter'

/** What the palette does with a tool: flips its switch, or goes to `href`. `on` = it counts as on now. */
export type ToolCommand = { label: string; on: boolean; href: string | null }

/** While its group is off, a tool's own switch changes nothing, so the way to the group's is offered. */
export function toolCommand(tool: ToolListing): ToolCommand {
  const { name, group, enabled, raw } = tool
  const on = isOn(tool)
  if (tool.groupOff) {
    const href = `/tools${writeToolFilter({ ...noToolFilter, group })}`
    return { label: `See the group ${group}: ${name} is off with it`, on, href }
  }
  const asks = raw && !enabled
  return { label: `Switch ${enabled ? 'off' : 'on'} ${name}${asks ? '…' : ''}`, on, href: null }
}
