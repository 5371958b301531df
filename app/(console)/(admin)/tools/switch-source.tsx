import { RelativeTime } from '@/components/ui/relative-time'
import { onOrOff } from '@/lib/protocol/configuration-form'
import type { ToolListing } from '@/lib/toolset/tool-listing'

/** Says whether a tool has its default state, or who switched it, when and why. */
export function SwitchSource({ tool }: { tool: ToolListing }) {
  if (tool.unavailable !== null) {
    return <p className="text-muted text-sm lg:w-46">{tool.unavailable}</p>
  }
  if (tool.groupOff) {
    return (
      <p className="text-muted text-sm lg:w-46">
        Off because its group is off. Its own switch is {onOrOff(tool.enabled).toLowerCase()}.
      </p>
    )
  }
  if (!tool.override) {
    return (
      <span className="whitespace-nowrap text-muted text-sm">
        Default ({onOrOff(tool.enabledByDefault).toLowerCase()})
      </span>
    )
  }
  const { changedByLabel, changedAt, reason } = tool.override
  return (
    <div className="text-sm lg:w-46">
      <p className="truncate text-normal" title={changedByLabel}>
        {changedByLabel}
      </p>
      <p className="text-muted">
        <RelativeTime at={changedAt} />
        {tool.override.enabled === tool.enabledByDefault ? ', same as the default' : ''}
      </p>
      {reason && <p className="line-clamp-2 break-words text-muted">“{reason}”</p>}
    </div>
  )
}
