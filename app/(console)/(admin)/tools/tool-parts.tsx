import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { CircleSlash, Hand, ShieldCheck, TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { isOn } from '@/components/nouns/tool-filter'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { OnOffSwitch } from '@/components/ui/switch'
import { everyNoun, pathOf, wordsOf } from '@/lib/protocol/nouns'
import { visibleText } from '@/lib/words/clean-text'
import { onOrOff } from '@/lib/words/format'

/**
 * Shows the switch of a tool. It is disabled while its group is off or the tool cannot run here, because it would have no
 * effect.
 */
export function ToolToggle({ tool, toolSwitch }: { tool: ToolListing; toolSwitch: ToolSwitch }) {
  return (
    <OnOffSwitch
      checked={isOn(tool)}
      disabled={tool.groupOff !== null || tool.unavailable !== null}
      onCheckedChange={() => toolSwitch.flip(tool)}
      aria-label={tool.name}
    />
  )
}

export function ToolBadges({ tool }: { tool: ToolListing }) {
  return (
    <>
      {tool.unavailable !== null && (
        <Badge>
          <CircleSlash aria-hidden />
          Not available
        </Badge>
      )}
      {tool.alias !== undefined && (
        <Badge>
          Models call it <code className="font-mono text-mono">{tool.alias}</code>
        </Badge>
      )}
      {tool.requiresAdmin && (
        <Badge>
          <ShieldCheck aria-hidden />
          Admins only
        </Badge>
      )}
      {tool.asksApproval && (
        <Badge>
          <Hand aria-hidden />
          Waits for approval
        </Badge>
      )}
      {tool.raw && (
        <Badge tone="warning">
          <TriangleAlert aria-hidden />
          Raw data
        </Badge>
      )}
    </>
  )
}

/** Returns the noun of which this site has none, although a tool needs one; undefined = it does not say which. */
function missingNoun({ needs }: ToolListing) {
  return everyNoun.find(({ noun }) => noun === needs)
}

/**
 * Says whether a tool has its default state, or who switched it, when and why. `isShort`: of a tool that this site lacks
 * something for, only a link to what is missing.
 */
export function SwitchSource({ tool, isShort = false }: { tool: ToolListing; isShort?: boolean }) {
  const missing = tool.unavailable !== null && isShort ? missingNoun(tool) : undefined
  if (missing) {
    return (
      <Link href={pathOf(missing)} className="text-link text-sm hover:underline">
        Needs a {wordsOf(missing).one}
      </Link>
    )
  }
  if (tool.unavailable !== null) {
    return <p className="text-muted text-sm [overflow-wrap:anywhere] lg:w-46">{tool.unavailable}</p>
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
      <p className="truncate text-normal" title={visibleText(changedByLabel)}>
        <VisibleText text={changedByLabel} />
      </p>
      <p className="text-muted">
        <RelativeTime at={changedAt} />
        {tool.override.enabled === tool.enabledByDefault ? ', same as the default' : ''}
      </p>
      {reason && <p className="line-clamp-2 break-words text-muted">“{reason}”</p>}
    </div>
  )
}
