import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { groupBy } from '@/components/group-by'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { dataClassWords, effectWords } from '@/lib/protocol/trust-words'
import { formatTokens } from '@/lib/words/format'
import { GroupSummary } from './group-summary'
import { ToolDetails } from './tool-details'
import { ToolMenu } from './tool-menu'
import { SwitchSource, ToolBadges, ToolToggle } from './tool-parts'
import type { ToolListProps } from './tool-table'
import type { GroupSwitch } from './use-group-switch'

/** Shows the list of tools on narrow screens. */
export function ToolCards({ tools, allTools, toolSwitch, groupSwitch }: ToolListProps) {
  return (
    <div className="flex flex-col gap-6 lg:hidden">
      {[...groupBy(tools, (tool) => tool.group)].map(([group, members]) => (
        <section key={group} aria-label={group} className="flex flex-col gap-2">
          <GroupSummary
            group={group}
            tools={allTools.filter((tool) => tool.group === group)}
            groupSwitch={groupSwitch}
          />
          <ul className="flex flex-col gap-2">
            {members.map((tool) => (
              <li key={tool.name}>
                <ToolCard tool={tool} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type CardProps = { tool: ToolListing; toolSwitch: ToolSwitch; groupSwitch: GroupSwitch }

function ToolCard({ tool, toolSwitch, groupSwitch }: CardProps) {
  const [open, setOpen] = useState(false)
  return (
    <Card className="flex flex-col gap-2 p-3">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-1.5 rounded-sm text-left font-mono text-mono text-strong"
        >
          <ChevronRight
            className={cn('size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
            aria-hidden
          />
          <span className="min-w-0 break-words">{tool.name}</span>
        </button>
        <ToolToggle tool={tool} toolSwitch={toolSwitch} />
        <ToolMenu tool={tool} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
      </div>
      {!open && <p className="line-clamp-2 text-muted text-sm">{tool.description}</p>}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
        <ToolBadges tool={tool} />
        <span className="numeric">
          {effectWords[tool.effect]} · {dataClassWords[tool.dataClass]} · ≈{' '}
          {formatTokens(tool.schemaTokens)}
        </span>
      </div>
      {(tool.override || tool.groupOff || tool.unavailable !== null) && (
        <SwitchSource tool={tool} isShort />
      )}
      {open && <ToolDetails tool={tool} isRow />}
    </Card>
  )
}
