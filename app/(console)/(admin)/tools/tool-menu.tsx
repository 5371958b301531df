import { MessageSquareText, RotateCcw, ToggleRight } from 'lucide-react'
import type { ListedTool } from '@/components/nouns/tool-filter'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { MenuButton } from '@/components/ui/menu-button'
import type { MenuEntry } from '@/components/ui/menu-list'
import { onOrOff } from '@/lib/words/format'
import type { GroupSwitch } from './use-group-switch'

type Props = { tool: ListedTool; toolSwitch: ToolSwitch; groupSwitch: GroupSwitch }

/** Shows the menu of a tool, in a row. */
export function ToolMenu(props: Props) {
  return (
    <MenuButton align="end" entries={toolEntries(props)}>
      <button type="button" className="row-menu" aria-label={`More for ${props.tool.name}`}>
        ⋯
      </button>
    </MenuButton>
  )
}

/**
 * Returns the entries of the menu of a tool. While its group is off, it offers the group's switch, because the tool's own has no
 * effect.
 */
export function toolEntries({ tool, toolSwitch, groupSwitch }: Props): MenuEntry[] {
  const { group, groupOff } = tool
  const change = groupOff
    ? {
        label: `Switch on the whole group ${group}`,
        icon: ToggleRight,
        onSelect: () => groupSwitch.flip(group, groupOff),
      }
    : {
        label: `Switch ${onOrOff(!tool.enabled).toLowerCase()} with a reason…`,
        icon: MessageSquareText,
        onSelect: () => toolSwitch.flipWithReason(tool),
      }
  const reset = {
    label: `Reset to default (${onOrOff(tool.enabledByDefault).toLowerCase()})`,
    icon: RotateCcw,
    disabled: !tool.override,
    onSelect: () => toolSwitch.reset(tool),
  }
  return [change, reset]
}
