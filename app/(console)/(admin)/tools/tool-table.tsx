import type { ToolListing } from '@toolgate/server/toolset/tools/tool-listing'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { groupBy } from '@/components/group-by'
import type { ToolSwitch } from '@/components/nouns/use-tool-switch'
import { cn } from '@/components/ui/cn'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { dataClassWords, effectWords } from '@/lib/protocol/trust-words'
import { formatCount } from '@/lib/words/format'
import { GroupSummary } from './group-summary'
import { ToolDetails } from './tool-details'
import { ToolMenu } from './tool-menu'
import { SwitchSource, ToolBadges, ToolToggle } from './tool-parts'
import type { GroupSwitch } from './use-group-switch'

const columns = 7

/** `allTools` includes the tools that the filter hides, for the counts in the headings of groups. */
export type ToolListProps = {
  tools: ToolListing[]
  allTools: ToolListing[]
  toolSwitch: ToolSwitch
  groupSwitch: GroupSwitch
}

export function ToolTable({ tools, allTools, toolSwitch, groupSwitch }: ToolListProps) {
  return (
    <div className="hidden lg:block">
      <Table aria-label="Tools">
        <thead>
          <tr>
            <TableHead className="w-full">Tool</TableHead>
            <TableHead className="hidden xl:table-cell">Effect</TableHead>
            <TableHead className="hidden xl:table-cell">Data class</TableHead>
            <TableHead className="text-right">Schema tokens</TableHead>
            <TableHead className="min-w-52">Set by</TableHead>
            <TableHead>State</TableHead>
            <TableHead>
              <span className="sr-only">More</span>
            </TableHead>
          </tr>
        </thead>
        {[...groupBy(tools, (tool) => tool.group)].map(([group, members]) => (
          <tbody key={group} className="border-b last:border-b-0">
            <tr className="border-b bg-surface-2/60">
              <th scope="rowgroup" colSpan={columns} className="px-3 py-1.5 font-normal">
                <GroupSummary
                  group={group}
                  tools={allTools.filter((tool) => tool.group === group)}
                  groupSwitch={groupSwitch}
                />
              </th>
            </tr>
            {members.map((tool) => (
              <ToolRow
                key={tool.name}
                tool={tool}
                toolSwitch={toolSwitch}
                groupSwitch={groupSwitch}
              />
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  )
}

type RowProps = { tool: ToolListing; toolSwitch: ToolSwitch; groupSwitch: GroupSwitch }

function ToolRow({ tool, toolSwitch, groupSwitch }: RowProps) {
  const [open, setOpen] = useState(false)
  const detailsId = `tool-${tool.name}`
  return (
    <>
      <TableRow className={cn(open && 'border-b-0')}>
        <TableCell>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <button
              type="button"
              aria-expanded={open}
              aria-controls={open ? detailsId : undefined}
              onClick={() => setOpen(!open)}
              className="group flex items-center gap-1.5 rounded-sm text-left font-mono text-mono text-strong hover:text-link"
            >
              <ChevronRight
                className={cn(
                  'size-4 shrink-0 text-muted transition-transform',
                  open && 'rotate-90',
                )}
                aria-hidden
              />
              {tool.name}
            </button>
            <ToolBadges tool={tool} />
          </div>
          {!open && (
            <p className="line-clamp-1 pl-5.5 text-muted [overflow-wrap:anywhere]">
              {tool.description}
            </p>
          )}
        </TableCell>
        <TableCell className="hidden whitespace-nowrap xl:table-cell">
          {effectWords[tool.effect]}
        </TableCell>
        <TableCell className="hidden whitespace-nowrap xl:table-cell">
          {dataClassWords[tool.dataClass]}
        </TableCell>
        <TableCell className="numeric text-right font-mono text-mono">
          {formatCount(tool.schemaTokens)}
        </TableCell>
        <TableCell>
          <SwitchSource tool={tool} isShort />
        </TableCell>
        <TableCell>
          <ToolToggle tool={tool} toolSwitch={toolSwitch} />
        </TableCell>
        <TableCell className="py-1">
          <ToolMenu tool={tool} toolSwitch={toolSwitch} groupSwitch={groupSwitch} />
        </TableCell>
      </TableRow>
      {open && (
        <TableRow id={detailsId}>
          <td colSpan={columns} className="px-3 pb-4 pl-8.5">
            <ToolDetails tool={tool} isRow />
          </td>
        </TableRow>
      )}
    </>
  )
}
