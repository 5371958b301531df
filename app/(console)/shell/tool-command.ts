import { isOn, toolsHref } from '@/components/nouns/tool-filter'
import type { ToolListing } from '@/lib/toolset/tool-listing'

/** What the palette does with a tool: switches it, or goes to `href`. `on`: whether it is on now. */
export type ToolCommand = { label: string; on: boolean; href: string | null }

/**
 * Returns what the palette does with a tool. While its group is off, it links to the group's switch, because the tool's
 * own switch has no effect.
 */
export function toolCommand(tool: ToolListing): ToolCommand {
  const { name, group, enabled, raw } = tool
  const on = isOn(tool)
  if (tool.unavailable !== null) {
    return { label: `See ${name} (not available)`, on, href: toolsHref({ search: name }) }
  }
  if (tool.groupOff) {
    const label = `See the group ${group}: it is off, and so is ${name}`
    return { label, on, href: toolsHref({ group }) }
  }
  const asks = raw && !enabled
  return { label: `Switch ${enabled ? 'off' : 'on'} ${name}${asks ? '…' : ''}`, on, href: null }
}
