import { ChevronRight } from 'lucide-react'
import { type ListedTool, promptOverhead } from '@/components/nouns/tool-filter'
import { VisibleText } from '@/components/trace/visible-text'
import { cn } from '@/components/ui/cn'
import { RelativeTime } from '@/components/ui/relative-time'
import { Switch } from '@/components/ui/switch'
import { formatCount, formatTokens } from '@/lib/words/format'
import type { GroupSwitch } from './use-group-switch'

type Props = {
  group: string
  /** All tools of the group, including those that the filter hides. */
  tools: ListedTool[]
  groupSwitch: GroupSwitch
  isOpen: boolean
  onFold: () => void
}

/**
 * Shows the heading of a group: how many of its tools are on, its own switch, and who switched it off. On narrow screens it
 * folds the group; without JavaScript, it leads to the group alone.
 */
export function GroupSummary({ group, tools, groupSwitch, isOpen, onFold }: Props) {
  const overhead = promptOverhead(tools)
  const off = tools[0]?.groupOff ?? null
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <h2 className="text-base [overflow-wrap:anywhere] max-lg:hidden">{group}</h2>
      <form action="/tools" className="lg:hidden">
        <h2>
          <button
            type="submit"
            name="group"
            value={group}
            aria-expanded={isOpen}
            onClick={(event) => {
              event.preventDefault()
              onFold()
            }}
            className="flex min-h-10 items-center gap-1 text-left font-semibold text-base text-strong [overflow-wrap:anywhere]"
          >
            <ChevronRight
              className={cn('size-4 shrink-0 text-muted', isOpen && 'rotate-90')}
              aria-hidden
            />
            {group}
          </button>
        </h2>
      </form>
      <span className="numeric text-muted text-sm">
        {formatCount(overhead.on)} of {formatCount(overhead.tools)} on
        <span className="max-sm:hidden"> · ≈ {formatTokens(overhead.tokens)}</span>
      </span>
      {off && (
        <span className="text-error text-sm [overflow-wrap:anywhere]">
          Switched off by <VisibleText text={off.changedByLabel} />{' '}
          <RelativeTime at={off.changedAt} />: <VisibleText text={`“${off.reason}”`} />
        </span>
      )}
      <span className="ml-auto flex items-center gap-2">
        <span className="text-muted text-sm max-lg:hidden" aria-hidden>
          Group {off ? 'off' : 'allowed'}
        </span>
        <Switch
          checked={off === null}
          aria-label={`Group ${group}: allowed`}
          onCheckedChange={() => groupSwitch.flip(group, off)}
        />
      </span>
    </div>
  )
}
