'use client'
import { SearchX } from 'lucide-react'
import { useQueryStates } from 'nuqs'
import { useOptimistic } from 'react'
import {
  filterTools,
  isFiltered,
  type ListedTool,
  promptOverhead,
  toolFilterInAddress,
} from '@/components/nouns/tool-filter'
import { type ToolChange, useToolSwitch } from '@/components/nouns/use-tool-switch'
import { PageTabs } from '@/components/shell/page-tabs'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { formatCount, formatTokens } from '@/lib/words/format'
import { resetToolToDefault, setTool } from './actions'
import { FilterBar } from './filter-bar'
import { ToolList } from './tool-list'
import { useGroupSwitch } from './use-group-switch'

export function ToolsView({ tools: stored }: { tools: ListedTool[] }) {
  const [tools, showChange] = useOptimistic(stored, withChange)
  const [filter, setFilter] = useQueryStates(toolFilterInAddress)
  const toolSwitch = useToolSwitch({ setTool, resetToolToDefault }, (tool, change) =>
    showChange({ name: tool.name, change }),
  )
  const groupSwitch = useGroupSwitch()
  const shown = filterTools(tools, filter)
  const groups = [...new Set(tools.map((tool) => tool.group))]
  return (
    <PageFrame kind="list">
      <Heading tools={tools} />
      <PageTabs />
      <FilterBar
        filter={filter}
        onChange={setFilter}
        groups={groups}
        shown={shown.length}
        all={tools.length}
      />
      {shown.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No tools match this filter"
          action={
            <Button onClick={() => setFilter(null)}>
              Show all {formatCount(tools.length)} tools
            </Button>
          }
        />
      ) : (
        <ToolList
          tools={shown}
          allTools={tools}
          isFiltered={isFiltered(filter)}
          toolSwitch={toolSwitch}
          groupSwitch={groupSwitch}
        />
      )}
      {toolSwitch.dialog}
      {groupSwitch.dialog}
    </PageFrame>
  )
}

function Heading({ tools }: { tools: ListedTool[] }) {
  const overhead = promptOverhead(tools)
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
      <div>
        <h1 className="text-xl">Tools</h1>
        <p className="text-muted">Functions that models can call.</p>
      </div>
      <dl className="numeric flex flex-wrap items-end gap-6">
        <Figure
          label="On"
          value={`${formatCount(overhead.on)} of ${formatCount(overhead.tools)}`}
        />
        <Figure label="Prompt overhead" value={`≈ ${formatTokens(overhead.tokens)} a request`} />
      </dl>
    </div>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-muted text-sm">{label}</dt>
      <dd className="font-semibold text-lg text-strong">{value}</dd>
    </div>
  )
}

/** Returns the list as it will be once the server has accepted the change. Who and when come with its answer. */
function withChange(
  tools: ListedTool[],
  { name, change }: { name: string; change: ToolChange },
): ListedTool[] {
  return tools.map((tool) => {
    if (tool.name !== name) return tool
    const enabled = change.type === 'set' ? change.enabled : tool.enabledByDefault
    return { ...tool, enabled }
  })
}
