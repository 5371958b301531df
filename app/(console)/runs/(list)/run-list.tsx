'use client'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import type { RunRow, RunSortKey } from '@/lib/runs/schemas'
import type { RunColumnKey } from '@/lib/runs/view-schemas'
import { RunDuration, runColumns, State } from './run-columns'

type Props = {
  rows: RunRow[]
  columns: readonly RunColumnKey[]
  admin: boolean
  address: ListAddress<RunSortKey>
}

/** Shows runs. The browser renders the rows, too, because their data is a tenth of their HTML. */
export function RunList({ columns, admin, ...props }: Props) {
  return (
    <DataTable
      label="Runs"
      columns={runColumns.filter(({ key }) => columns.includes(key) && (admin || key !== 'user'))}
      rowKey={(row) => row.runId}
      card={(row) => <Entry row={row} admin={admin} />}
      {...props}
    />
  )
}

/** Shows one run on a narrow screen. */
function Entry({ row, admin }: { row: RunRow; admin: boolean }) {
  return (
    <>
      <CardLink href={`/runs/${row.runId}`} className="line-clamp-2">
        <VisibleText text={row.prompt} />
      </CardLink>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <State row={row} />
        <RelativeTime at={row.createdAt} className="relative z-10 text-muted text-sm" />
      </div>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>
          <Cost microUsd={row.costMicroUsd} bound={row.costBound} />
        </li>
        <li>
          <RunDuration row={row} />
        </li>
        <li>{row.configurationName}</li>
        {admin && <li>{row.userName}</li>}
        {row.task && <li>task {row.task.name}</li>}
      </ul>
    </>
  )
}
