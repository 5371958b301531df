'use client'
import type { ListedRun } from '@toolgate/server/runs/lists/listed-run'
import type { RunColumnKey } from '@toolgate/server/runs/lists/view-schemas'
import type { RunRow, RunSortKey } from '@toolgate/server/runs/schemas'
import Link from 'next/link'
import type { Column } from '@/components/list/columns'
import { RowLink } from '@/components/list/row-link'
import { PanelPill } from '@/components/nouns/panel-pill'
import { Elapsed } from '@/components/trace/elapsed'
import { RunPill } from '@/components/trace/run-pill'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Cost } from '@/components/ui/cost'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { placeWords } from '@/lib/protocol/run/waiting'
import { timeWords } from '@/lib/protocol/run/work-time'
import { visibleText } from '@/lib/words/clean-text'
import { formatCount } from '@/lib/words/format'
import { Fitting, Members } from './panel-members'
import { RunFailure } from './run-failure'
import { sourceWords } from './source-words'

const name = 'max-w-36 truncate'

type RunColumn = Column<ListedRun, RunSortKey> & { key: RunColumnKey; head: string }
type Figures = { key: RunColumnKey; head: string; of: (row: RunRow) => number }

/** Returns a column of figures that orders nothing. */
function figures({ key, head, of }: Figures): RunColumn {
  return { key, head, figures: true, cell: (row) => formatCount(of(row)) }
}

/** All columns of the list, from left to right. */
export const runColumns: readonly RunColumn[] = [
  {
    key: 'prompt',
    head: 'Prompt',
    className: 'w-full min-w-48 max-w-0',
    cell: (row) => <Title row={row} />,
  },
  { key: 'tags', head: 'Tags', className: 'max-w-56', cell: (row) => <Tags row={row} /> },
  { key: 'state', head: 'State', cell: (row) => <State row={row} /> },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: name,
    cell: (row) => row.configurationName,
  },
  { key: 'model', head: 'Model', className: name, cell: (row) => row.model?.name ?? '-' },
  {
    key: 'connection',
    head: 'Connection',
    className: name,
    cell: (row) => row.connection?.name ?? '-',
  },
  {
    key: 'user',
    head: 'Person',
    sort: 'text',
    className: name,
    cell: (row) => <span title={row.userEmail}>{row.userName}</span>,
  },
  { key: 'source', head: 'Origin', cell: (row) => sourceWords[row.source] },
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
    head: 'Tokens',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.inputTokens + row.outputTokens),
  },
  figures({ key: 'inputTokens', head: 'Tokens in', of: (row) => row.inputTokens }),
  figures({ key: 'outputTokens', head: 'Tokens out', of: (row) => row.outputTokens }),
  figures({ key: 'cachedTokens', head: 'Cached', of: (row) => row.cachedInputTokens }),
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
    className: 'max-w-44 truncate',
    cell: (row) => <RunDuration row={row} />,
  },
  {
    key: 'started',
    head: 'Started',
    sort: 'time',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
  {
    key: 'id',
    head: 'Run',
    className: 'font-mono text-mono',
    cell: (row) => row.runId,
  },
]

/** Returns the address of a run or a panel. */
export function hrefOf({ runId, panel }: ListedRun): string {
  return panel ? `/runs/panels/${runId}` : `/runs/${runId}`
}

/** Shows the first words of the prompt or the name of a member, and where it came from. */
function Title({ row }: { row: ListedRun }) {
  const { panel, member, source, task } = row
  const link = (
    <RowLink href={hrefOf(row)} className="min-w-0 truncate">
      <VisibleText text={member ?? row.prompt} />
    </RowLink>
  )
  if (panel)
    return (
      <>
        <span className="flex items-center gap-2">
          <Members panel={panel} />
          {link}
        </span>
        <Fitting panel={panel} />
      </>
    )
  return (
    <span className="flex items-center gap-2">
      {link}
      {source !== 'console' && !member && (
        <Badge className="shrink-0">
          {source === 'check' ? <CheckLink runId={row.runId} /> : source}
        </Badge>
      )}
      {task && !member && <TaskLink task={task} />}
    </span>
  )
}

/** Leads to the results to which a run of a check belongs. */
function CheckLink({ runId }: { runId: string }) {
  return (
    <Link href={`/checks/of/${runId}`} prefetch={false} className="hover:underline">
      check
    </Link>
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

const tagsAtAGlance = 2

/** Shows the first tags, each as a link to the runs that have it; all of them on hover. */
function Tags({ row: { tags } }: { row: RunRow }) {
  const others = tags.length - tagsAtAGlance
  return (
    <span className="flex items-center gap-1" title={tags.map(visibleText).join(', ')}>
      {tags.slice(0, tagsAtAGlance).map((tag) => (
        <Badge key={tag} className="min-w-0 max-w-28">
          <Link href={`/runs?${new URLSearchParams({ tag })}`} className="truncate hover:underline">
            <VisibleText text={tag} />
          </Link>
        </Badge>
      ))}
      {others > 0 && <span className="text-muted text-sm">+{others}</span>}
    </span>
  )
}

export function State({ row }: { row: ListedRun }) {
  if (row.panel && row.status === 'waiting')
    return <StatePill state="waiting">Waiting for approval</StatePill>
  if (row.panel) return <PanelPill row={row.panel} />
  return (
    <span className="flex items-center gap-2">
      <RunPill run={{ ...row, waits: row.waiting !== null }} />
      {row.waiting && (
        <span className="max-w-36 truncate text-muted text-sm first-letter:uppercase">
          {placeWords(row.waiting)}
        </span>
      )}
      <RunFailure row={row} />
    </span>
  )
}

/** Shows how long a run worked and waited, or how long ago it began. */
export function RunDuration({ row }: { row: RunRow }) {
  const since = Date.parse(row.createdAt)
  if (row.endedAt === null) return <Elapsed since={since} />
  const words = timeWords(Date.parse(row.endedAt) - since, row)
  return <span title={words}>{words}</span>
}
