import { Ellipsis, MessageSquareText, RotateCcw } from 'lucide-react'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { IconButton } from '@/components/ui/icon-button'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { onOrOff } from './tool-words'
import type { ToolSwitch } from './use-tool-switch'

export function ToolMenu({ tool, toolSwitch }: { tool: ToolListing; toolSwitch: ToolSwitch }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label={`More for ${tool.name}`} size="sm">
          <Ellipsis aria-hidden />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem onSelect={() => toolSwitch.flipWithReason(tool)}>
          <MessageSquareText aria-hidden />
          Switch {onOrOff(!tool.enabled).toLowerCase()} with a reason…
        </DropdownMenuItem>
        <DropdownMenuItem disabled={!tool.override} onSelect={() => toolSwitch.reset(tool)}>
          <RotateCcw aria-hidden />
          Reset to default ({onOrOff(tool.enabledByDefault).toLowerCase()})
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
