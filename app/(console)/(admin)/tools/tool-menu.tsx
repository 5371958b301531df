import { Ellipsis, MessageSquareText, RotateCcw, ToggleRight } from 'lucide-react'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { IconButton } from '@/components/ui/icon-button'
import { onOrOff } from '@/lib/protocol/format'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import type { GroupSwitch } from './use-group-switch'

/**
 * Shows the menu of a tool. While its group is off, it offers the group's switch, because the tool's own has no effect.
 */
export function ToolMenu({
  tool,
  toolSwitch,
  groupSwitch,
}: {
  tool: ToolListing
  toolSwitch: ToolSwitch
  groupSwitch: GroupSwitch
}) {
  const { group, groupOff } = tool
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label={`More for ${tool.name}`} size="sm">
          <Ellipsis aria-hidden />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        {groupOff ? (
          <DropdownMenuItem onSelect={() => groupSwitch.flip(group, groupOff)}>
            <ToggleRight aria-hidden />
            Switch on the whole group {group}
          </DropdownMenuItem>
        ) : (
          <DropdownMenuItem onSelect={() => toolSwitch.flipWithReason(tool)}>
            <MessageSquareText aria-hidden />
            Switch {onOrOff(!tool.enabled).toLowerCase()} with a reason…
          </DropdownMenuItem>
        )}
        <DropdownMenuItem disabled={!tool.override} onSelect={() => toolSwitch.reset(tool)}>
          <RotateCcw aria-hidden />
          Reset to default ({onOrOff(tool.enabledByDefault).toLowerCase()})
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
