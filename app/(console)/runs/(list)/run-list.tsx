'use client'
import Link from 'next/link'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { Elapsed } from '@/components/trace/elapsed'
import { RunPill } from '@/components/trace/run-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatCount } from '@/lib/protocol/format'
import { placeWords } from '@/lib/protocol/waiting'
import { timeWords } from '@/lib/protocol/work-time'
import type { RunRow, RunSortKey } from '@/lib/runs/schemas'
import { RunTrouble } from './run-trouble'

type Props = { rows: RunRow[]; admin: boolean; address: ListAddress<RunSortKey> }

/** Shows runs. The browser renders the rows, too, because their data is a tenth of their HTML. */
export function RunList({ admin, ...props }: Props) {
  return (
    <DataTable
      label="Runs"
      columns={columns.filter(({ key }) => admin || key !== 'user')}
      rowKey={(row) => row.runId}
      card={(row) => <Entry row={row} admin={admin} />}
      {...props}
    />
  )
}

/** A row is one line, so that twenty of them fit a screen. */
const line = 'py-1.5 whitespace-nowrap'
const name = `${line} max-w-36 truncate`

const columns: Column<RunRow, RunSortKey>[] = [
  {
    key: 'prompt',
    head: 'Prompt',
    className: `${line} w-full min-w-56 max-w-0`,
    cell: (row) => <Title row={row} />,
  },
  { key: 'state', head: 'State', className: line, cell: (row) => <State row={row} /> },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: name,
    cell: (row) => row.configurationName,
  },
  { key: 'model', head: 'Model', className: name, cell: (row) => row.model?.name ?? '-' },
  {
    key: 'user',
    head: 'Person',
    sort: 'text',
    className: name,
    cell: (row) => <span title={row.userEmail}>{row.userName}</span>,
  },
  {
    key: 'tokens',
    head: 'Tokens',
    sort: 'number',
    figures: true,
    className: line,
    cell: (row) => formatCount(row.inputTokens + row.outputTokens),
  },
  {
    key: 'cost',
    head: 'Cost',
    sort: 'number',
    figures: true,
    className: line,
    cell: (row) => <Cost microUsd={row.costMicroUsd} bound={row.costBound} />,
  },
  {
    key: 'duration',
    head: 'Time',
    sort: 'number',
    figures: true,
    className: `${line} max-w-44 truncate`,
    cell: (row) => <RunDuration row={row} />,
  },
  {
    key: 'started',
    head: 'Started',
    sort: 'time',
    className: line,
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
]

/** Shows the first words of the prompt, and where it came from. */
function Title({ row }: { row: RunRow }) {
  return (
    <span className="flex items-center gap-2">
      <RowLink href={`/runs/${row.runId}`} className="min-w-0 truncate">
        <VisibleText text={row.prompt} />
      </RowLink>
      {row.source !== 'console' && <Badge className="shrink-0">{row.source}</Badge>}
      {row.task && <TaskLink task={row.task} />}
    </span>
  )
}

/** Shows a link to the other runs of the task. Everybody may filter by a task. */
function TaskLink({ task }: { task: NonNullable<RunRow['task']> }) {
  return (
    <span className="max-w-36 shrink-0 truncate text-muted">
      Task{' '}
      <Link href={`/runs?task=${task.id}`} className="text-link hover:underline">
        <VisibleText text={task.name} />
      </Link>
    </span>
  )
}

function State({ row }: { row: RunRow }) {
  return (
    <span className="flex items-center gap-2">
      <RunPill run={{ ...row, waits: row.waiting !== null }} />
      {row.waiting && (
        <span className="max-w-36 truncate text-muted text-sm first-letter:uppercase">
          {placeWords(row.waiting)}
        </span>
      )}
      <RunTrouble row={row} />
    </span>
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

/** Shows how long a run worked and waited, or how long ago it began. */
function RunDuration({ row }: { row: RunRow }) {
  const since = Date.parse(row.createdAt)
  if (row.endedAt === null) return <Elapsed since={since} />
  const words = timeWords(Date.parse(row.endedAt) - since, row)
  return <span title={words}>{words}</span>
}
