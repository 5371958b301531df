import Link from 'next/link'
import { isOn, type ListedTool } from '@/components/nouns/tool-filter'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { OnOffSwitch } from '@/components/ui/switch'
import { everyNoun, pathOf, wordsOf } from '@/lib/protocol/nouns'
import type { ToolNeed } from '@/lib/protocol/tool'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, onOrOff } from '@/lib/words/format'

/**
 * Shows the switch of a tool. It is disabled while its group is off or the tool cannot run here, because it would have no
 * effect.
 */
export function ToolToggle({ tool, toolSwitch }: { tool: ListedTool; toolSwitch: ToolSwitch }) {
  return (
    <OnOffSwitch
      checked={isOn(tool)}
      disabled={tool.groupOff !== null || tool.unavailable !== null}
      onCheckedChange={() => toolSwitch.flip(tool)}
      aria-label={tool.name}
    />
  )
}

export function ToolBadges({ tool }: { tool: ListedTool }) {
  return (
    <>
      {tool.alias !== undefined && (
        <Badge>
          Alias <code className="font-mono text-mono">{tool.alias}</code>
        </Badge>
      )}
      {tool.requiresAdmin && <Badge>Admins only</Badge>}
      {tool.asksApproval && <Badge>Waits for approval</Badge>}
      {tool.raw && <Badge tone="warning">Raw data</Badge>}
    </>
  )
}

/**
 * Says above tools why they cannot run here, with a link to add what they need. `needs` left out = `cause` says what is wrong.
 */
export function NotAvailable({
  cause,
  needs,
  tools,
}: {
  cause: string
  needs: ToolNeed | undefined
  tools: number
}) {
  const missing = everyNoun.find(({ noun }) => noun === needs)
  return (
    <p className="[overflow-wrap:anywhere]">
      {countOf(tools, 'tool')} not available.{' '}
      {missing ? (
        <Link href={pathOf(missing)} className="text-link underline underline-offset-2">
          Add a {wordsOf(missing).one}
        </Link>
      ) : (
        cause
      )}
    </p>
  )
}

/** Says whether a tool has its default state, or who switched it, when and why. */
export function SwitchSource({ tool }: { tool: ListedTool }) {
  if (tool.groupOff) {
    return (
      <p className="text-muted text-sm lg:w-46">
        Group off; its own switch is {onOrOff(tool.enabled).toLowerCase()}
      </p>
    )
  }
  if (!tool.override) {
    return (
      <span className="text-muted">{`Default (${onOrOff(tool.enabledByDefault).toLowerCase()})`}</span>
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
