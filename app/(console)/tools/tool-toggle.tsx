import { Switch } from '@/components/ui/switch'
import type { ToolListing } from '@/lib/toolset/tool-listing'
import { onOrOff } from './tool-words'
import type { ToolSwitch } from './use-tool-switch'

export function ToolToggle({ tool, toolSwitch }: { tool: ToolListing; toolSwitch: ToolSwitch }) {
  return (
    <div className="flex items-center gap-2">
      <Switch
        checked={tool.enabled}
        onCheckedChange={() => toolSwitch.flip(tool)}
        aria-label={tool.name}
      />
      <span className="w-6 text-normal text-sm" aria-hidden>
        {onOrOff(tool.enabled)}
      </span>
    </div>
  )
}
