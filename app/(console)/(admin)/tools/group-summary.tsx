import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { promptOverhead } from '@/components/nouns/tool-filter'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { OnOffSwitch } from '@/components/ui/switch'
import { formatCount, formatTokens } from '@/lib/words/format'
import type { GroupSwitch } from './use-group-switch'

type Props = {
  group: string
  /** All tools of the group, including those that the filter hides. */
  tools: ToolListing[]
  groupSwitch: GroupSwitch
}

/** Shows the heading of a group: how many of its tools are on, its own switch, and who switched it off. */
export function GroupSummary({ group, tools, groupSwitch }: Props) {
  const overhead = promptOverhead(tools)
  const off = tools[0]?.groupOff ?? null
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <h2 className="text-base">{group}</h2>
      <span className="numeric text-muted text-sm">
        {formatCount(overhead.on)} of {formatCount(overhead.tools)} on
        {overhead.on === 0 && off === null && ': each has its own switch'} · ≈{' '}
        {formatTokens(overhead.tokens)}
      </span>
      {off && (
        <span className="text-error text-sm [overflow-wrap:anywhere]">
          Switched off by <VisibleText text={off.changedByLabel} />{' '}
          <RelativeTime at={off.changedAt} />: <VisibleText text={`“${off.reason}”`} />
        </span>
      )}
      <span className="ml-auto flex items-center gap-2">
        <span className="text-muted text-sm">Group allowed</span>
        <OnOffSwitch
          checked={off === null}
          aria-label={`Group ${group}: allowed`}
          onCheckedChange={() => groupSwitch.flip(group, off)}
        />
      </span>
    </div>
  )
}
