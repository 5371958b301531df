import { Fragment, useState } from 'react'
import { groupBy } from '@/components/group-by'
import { RowLink } from '@/components/list/row-link'
import type { ListedTool } from '@/components/nouns/tool-filter'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { cn } from '@/components/ui/cn'
import { Table, TableHead } from '@/components/ui/table'
import { ToolName } from '@/components/ui/tool-name'
import { dataClassWords, effectWords } from '@/lib/protocol/trust-words'
import { formatCount } from '@/lib/words/format'
import { GroupSummary } from './group-summary'
import { ToolMenu } from './tool-menu'
import { NotAvailable, SwitchSource, ToolBadges, ToolToggle } from './tool-parts'
import type { GroupSwitch } from './use-group-switch'

const columns = 7

type Switches = { toolSwitch: ToolSwitch; groupSwitch: GroupSwitch }

/**
 * Shows the tools by group. On narrow screens a row becomes a card, and groups are folded unless a filter is set. `allTools`
 * includes the tools that the filter hides, for the counts in the headings of groups.
 */
export function ToolList({
  tools,
  allTools,
  isFiltered,
  ...switches
}: Switches & { tools: ListedTool[]; allTools: ListedTool[]; isFiltered: boolean }) {
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  const isOpen = (group: string) => folds.get(group) ?? isFiltered
  return (
    <Table
      aria-label="Tools"
      className="max-lg:block [&_td]:px-3 [&_td]:align-top max-lg:[&_tbody]:block lg:[&_td]:py-2 max-lg:[&_tr]:grid max-lg:[&_tr]:grid-cols-[minmax(0,1fr)_auto_auto] max-lg:[&_tr]:items-center max-lg:[&_tr]:py-2"
    >
      <thead className="max-lg:hidden">
        <tr>
          <TableHead className="w-full">Tool</TableHead>
          <TableHead className="max-xl:hidden">Effect</TableHead>
          <TableHead className="max-xl:hidden">Data class</TableHead>
          <TableHead className="text-right">Schema tokens</TableHead>
          <TableHead className="min-w-52">Set by</TableHead>
          <TableHead>State</TableHead>
          <TableHead>
            <span className="sr-only">More</span>
          </TableHead>
        </tr>
      </thead>
      {[...groupBy(tools, (tool) => tool.group)].map(([group, members]) => (
        <tbody
          key={group}
          className={cn('border-b last:border-b-0', !isOpen(group) && 'max-lg:[&>tr~tr]:hidden')}
        >
          <tr className="border-b bg-surface-2/60">
            <th
              scope="rowgroup"
              colSpan={columns}
              className="col-span-3 px-3 py-1.5 font-normal max-lg:py-0"
            >
              <GroupSummary
                group={group}
                tools={allTools.filter((tool) => tool.group === group)}
                groupSwitch={switches.groupSwitch}
                isOpen={isOpen(group)}
                onFold={() => setFolds(new Map(folds).set(group, !isOpen(group)))}
              />
            </th>
          </tr>
          <Members tools={members} {...switches} />
        </tbody>
      ))}
    </Table>
  )
}

/** Shows the tools of a group: those that can run, then the others below one line that says what they lack. */
function Members({ tools, ...switches }: Switches & { tools: ListedTool[] }) {
  const canRun = ({ unavailable }: ListedTool) => unavailable === null
  const inOrder = [...tools.filter(canRun), ...tools.filter((tool) => !canRun(tool))]
  return [...groupBy(inOrder, ({ unavailable }) => unavailable)].map(([cause, alike]) => (
    <Fragment key={cause}>
      {cause !== null && (
        <tr className="bg-surface-2/30">
          <th
            scope="rowgroup"
            colSpan={columns}
            className="col-span-3 px-3 py-2 font-normal text-muted"
          >
            <NotAvailable cause={cause} needs={alike[0]?.needs} tools={alike.length} />
          </th>
        </tr>
      )}
      {alike.map((tool) => (
        <ToolRow key={tool.name} tool={tool} {...switches} />
      ))}
    </Fragment>
  ))
}

function ToolRow({ tool, toolSwitch, groupSwitch }: Switches & { tool: ListedTool }) {
  const isPlain = tool.override === null && tool.groupOff === null
  const canRun = tool.unavailable === null
  return (
    <tr className={cn('border-b last:border-b-0', !canRun && 'bg-surface-2/30')}>
      <td className={cn(!canRun && 'pl-8!')}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <RowLink href={`/tools/${encodeURIComponent(tool.name)}`} className="font-mono text-mono">
            <ToolName name={tool.name} />
          </RowLink>
          <ToolBadges tool={tool} />
        </div>
        <p className="line-clamp-1 break-all text-muted">{firstSentence(tool.description)}</p>
      </td>
      <td className="max-xl:hidden">{effectWords[tool.effect]}</td>
      <td className="max-xl:hidden">{dataClassWords[tool.dataClass]}</td>
      <td className="numeric text-right max-lg:hidden">{formatCount(tool.schemaTokens)}</td>
      <td className={cn('max-lg:order-last max-lg:col-span-3', isPlain && 'max-lg:hidden')}>
        {canRun && <SwitchSource tool={tool} />}
      </td>
      <td>
        <ToolToggle tool={tool} toolSwitch={toolSwitch} />
      </td>
      <td className="max-lg:pl-0">
        <ToolMenu tool={tool} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
      </td>
    </tr>
  )
}

/** Models read the rest, which the page of the tool shows. */
function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s+(?=\p{Lu})/u, 1)[0] ?? text
}
