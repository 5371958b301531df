import { isOn } from '@/components/nouns/tool-filter'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { Switch } from '@/components/ui/switch'
import { onOrOff } from '@/lib/protocol/configuration-form'
import type { ToolListing } from '@/lib/toolset/tool-listing'

/** While its group is off or the site lacks what it needs, a tool's own switch changes nothing: it is disabled. */
export function ToolToggle({ tool, toolSwitch }: { tool: ToolListing; toolSwitch: ToolSwitch }) {
  return (
    <div className="flex items-center gap-2">
      <Switch
        checked={isOn(tool)}
        disabled={tool.groupOff !== null || tool.unavailable !== null}
        onCheckedChange={() => toolSwitch.flip(tool)}
        aria-label={tool.name}
      />
      <span className="w-6 text-normal text-sm" aria-hidden>
        {onOrOff(isOn(tool))}
      </span>
    </div>
  )
}
