'use client'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { HoverPrefetchLink } from '@/components/ui/hover-prefetch-link'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatCount } from '@/lib/words/format'
import type { ToolHealth } from './tool-health'
import type { ToolSortKey } from './usage-sort'
import { durationText } from './usage-table'

/** A tool with the address of the runs that called it. */
export type ToolRow = ToolHealth & { runsHref: string }

/**
 * Shows usage by tool. Tools that are never called cost tokens in every request, and tools that fail waste rounds. It is a
 * client component for the same reason as `UsageTable`.
 */
export function ToolTable({
  rows,
  address,
}: {
  rows: readonly ToolRow[]
  address: ListAddress<ToolSortKey>
}) {
  const name = (tool: ToolRow) => <Name tool={tool} href={tool.runsHref} />
  const columns: Column<ToolRow, ToolSortKey>[] = [
    { key: 'tool', head: 'Tool', sort: 'text', cell: name },
    count('calls', 'Calls', ({ calls }) => calls),
    count('runs', 'Runs', ({ runs }) => runs),
    {
      key: 'failed',
      head: 'Failed',
      sort: 'number',
      figures: true,
      cell: (tool) => <Failed tool={tool} />,
    },
    count('denied', 'Denied', ({ denied }) => denied),
    latency('p50', 'Median (p50)', ({ p50Ms }) => p50Ms),
    latency('p95', 'p95', ({ p95Ms }) => p95Ms),
    {
      key: 'last',
      head: 'Last used',
      sort: 'time',
      figures: true,
      cell: ({ lastAt }) => <Last at={lastAt} />,
    },
  ]
  return (
    <DataTable
      label="Tool health"
      columns={columns}
      rows={rows}
      rowKey={(tool) => tool.name}
      address={address}
      tableFrom="lg"
      card={(tool) => (
        <>
          {name(tool)}
          <p className="numeric text-muted text-sm">
            {formatCount(tool.calls)} calls, <Failed tool={tool} /> failed,{' '}
            {formatCount(tool.denied)} denied
          </p>
          <p className="text-muted text-sm">
            <Last at={tool.lastAt} />
          </p>
        </>
      )}
    />
  )
}

function Name({ tool, href }: { tool: ToolHealth; href: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      <HoverPrefetchLink
        href={href}
        className="font-mono text-link text-mono underline-offset-2 [overflow-wrap:anywhere] hover:underline"
      >
        <VisibleText text={tool.name} />
      </HoverPrefetchLink>
      {!tool.installed && <Badge>not installed</Badge>}
    </span>
  )
}

function Failed({ tool: { failed, calls } }: { tool: ToolHealth }) {
  if (failed === 0) return '0'
  return (
    <span className="text-error">
      {formatCount(failed)} ({Math.round((100 * failed) / calls)} %)
    </span>
  )
}

function Last({ at }: { at: string | null }) {
  return at === null ? <span className="text-muted">never used</span> : <RelativeTime at={at} />
}

function count(
  key: ToolSortKey,
  head: string,
  figure: (tool: ToolHealth) => number,
): Column<ToolRow, ToolSortKey> {
  return { key, head, sort: 'number', figures: true, cell: (tool) => formatCount(figure(tool)) }
}

function latency(
  key: ToolSortKey,
  head: string,
  figure: (tool: ToolHealth) => number | null,
): Column<ToolRow, ToolSortKey> {
  return { key, head, sort: 'number', figures: true, cell: (tool) => durationText(figure(tool)) }
}
