'use client'
import Link from 'next/link'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { Elapsed } from '@/components/trace/elapsed'
import { endWords } from '@/components/trace/end-words'
import { placeWait } from '@/components/trace/run-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import { type PillState, StatePill } from '@/components/ui/state-pill'
import { countOf, formatCount } from '@/lib/protocol/format'
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

const columns: Column<RunRow, RunSortKey>[] = [
  { key: 'state', head: 'State', cell: (row) => <State row={row} /> },
  {
    key: 'prompt',
    head: 'Prompt',
    className: 'min-w-48 max-w-96',
    cell: (row) => (
      <>
        <RowLink href={`/runs/${row.runId}`} className="line-clamp-2">
          <VisibleText text={row.prompt} />
        </RowLink>
        {row.source !== 'console' && <Badge className="mt-1">{row.source}</Badge>}
        {row.task && <TaskLink task={row.task} />}
      </>
    ),
  },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    cell: (row) => row.configurationName,
  },
  {
    key: 'user',
    head: 'User',
    sort: 'text',
    className: 'min-w-36 max-w-48 [overflow-wrap:anywhere]',
    cell: (row) => row.userEmail,
  },
  {
    key: 'rounds',
    head: 'Rounds',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.rounds),
  },
  {
    key: 'calls',
    head: 'Calls',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.calls),
  },
  {
    key: 'tokens',
    head: 'Tokens in / out',
    sort: 'number',
    figures: true,
    cell: (row) => `${formatCount(row.inputTokens)} / ${formatCount(row.outputTokens)}`,
  },
  {
    key: 'cost',
    head: 'Cost',
    sort: 'number',
    figures: true,
    cell: (row) => <Cost microUsd={row.costMicroUsd} bound={row.costBound} />,
  },
  {
    key: 'duration',
    head: 'Time',
    sort: 'number',
    figures: true,
    cell: (row) => <RunDuration row={row} />,
  },
  {
    key: 'started',
    head: 'Started',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
]

/** Shows a link to the other runs of the task. Everybody may filter by a task. */
function TaskLink({ task }: { task: NonNullable<RunRow['task']> }) {
  return (
    <p className="truncate text-muted text-sm">
      Task{' '}
      <Link href={`/runs?task=${task.id}`} className="text-link hover:underline">
        <VisibleText text={task.name} />
      </Link>
    </p>
  )
}

function State({ row }: { row: RunRow }) {
  const { pill, word } = rowPill(row)
  return (
    <span className="flex flex-col items-start gap-1">
      <StatePill state={pill}>{word}</StatePill>
      {row.waiting && (
        <span className="text-muted text-sm first-letter:uppercase">{placeWords(row.waiting)}</span>
      )}
      <RunTrouble row={row} />
    </span>
  )
}

/** Shows one run on a narrow screen. */
function Entry({ row, admin }: { row: RunRow; admin: boolean }) {
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <State row={row} />
        <RelativeTime at={row.createdAt} className="relative z-10 text-muted text-sm" />
      </div>
      <CardLink href={`/runs/${row.runId}`} className="line-clamp-2">
        <VisibleText text={row.prompt} />
      </CardLink>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        {row.task && <li>task {row.task.name}</li>}
        <li>{row.configurationName}</li>
        {admin && <li>{row.userEmail}</li>}
        <li>{countOf(row.calls, 'call')}</li>
        <li>
          <Cost microUsd={row.costMicroUsd} bound={row.costBound} />
        </li>
      </ul>
    </>
  )
}

/** Returns the state of a run for the list. */
function rowPill({
  status,
  endReason,
  notStarted,
  waiting,
}: Pick<RunRow, 'status' | 'endReason' | 'notStarted' | 'waiting'>): {
  pill: PillState
  word: string
} {
  if (endReason) return endWords(endReason, notStarted)
  switch (status) {
    case 'queued':
      return { pill: 'waiting', word: waiting ? placeWait : 'Starting' }
    case 'running':
      return { pill: 'running', word: 'Running' }
    case 'waiting':
      return { pill: 'waiting', word: 'Waiting for approval' }
    case 'ended':
      return { pill: 'off', word: 'Ended' }
    default:
      return status satisfies never
  }
}

/** Shows how long a run worked and waited, or how long ago it began. */
function RunDuration({ row }: { row: RunRow }) {
  const since = Date.parse(row.createdAt)
  if (row.endedAt === null) return <Elapsed since={since} />
  return timeWords(Date.parse(row.endedAt) - since, row)
}
