'use client'
import type { DecidedSortKey } from '@toolgate/server/domains/approvals/schemas'
import type { ApprovalRow } from '@toolgate/server/runs/approvals/list-approvals'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { ChangedArguments } from '@/components/trace/call-arguments'
import { Disclosure } from '@/components/trace/disclosure'
import { shortArguments } from '@/components/trace/short-arguments'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { formatDuration } from '@/lib/words/format'
import { DecidedPill } from './decided-pill'

export function DecidedList(props: { rows: ApprovalRow[]; address: ListAddress<DecidedSortKey> }) {
  return (
    <DataTable
      label="Decided calls"
      columns={columns}
      rowKey={(row) => row.approvalId}
      card={(row) => <Entry row={row} />}
      {...props}
    />
  )
}

const columns: Column<ApprovalRow, DecidedSortKey>[] = [
  { key: 'decision', head: 'Decision', cell: (row) => <DecidedPill status={row.status} /> },
  {
    key: 'call',
    head: 'Call',
    sort: 'text',
    className: 'min-w-48 max-w-80 font-mono text-mono',
    cell: (row) => (
      <>
        <span className="block text-strong [overflow-wrap:anywhere]">
          <VisibleText text={row.toolName} />
        </span>
        <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
          <VisibleText text={argumentsOf(row)} />
        </span>
        <Edits row={row} />
      </>
    ),
  },
  {
    key: 'message',
    head: 'Message',
    className: 'max-w-64',
    cell: (row) => (
      <span className="line-clamp-3 [overflow-wrap:anywhere]">
        <VisibleText text={row.message} />
      </span>
    ),
  },
  {
    key: 'run',
    head: 'Run',
    className: 'min-w-48 max-w-80',
    cell: (row) => (
      <RowLink href={`/runs/${row.runId}`} className="line-clamp-2">
        <VisibleText text={row.runPrompt} />
      </RowLink>
    ),
  },
  {
    key: 'run-by',
    head: 'Run by',
    sort: 'text',
    className: 'min-w-40 max-w-48 [overflow-wrap:anywhere]',
    cell: (row) => <VisibleText text={row.userEmail} />,
  },
  {
    key: 'rule',
    head: 'Rule',
    sort: 'text',
    className: 'max-w-40 [overflow-wrap:anywhere]',
    cell: (row) => <VisibleText text={row.ruleName} />,
  },
  {
    key: 'decided-by',
    head: 'Decided by',
    sort: 'text',
    className: 'min-w-40 max-w-48 [overflow-wrap:anywhere]',
    cell: (row) => <VisibleText text={row.decidedByLabel ?? 'Nobody'} />,
  },
  {
    key: 'decided',
    head: 'Decided',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (row) => (
      <>
        <RelativeTime at={row.decidedAt ?? row.expiresAt} />
        <span className="block text-muted text-sm">{waitedWords(row)}</span>
      </>
    ),
  },
]

function argumentsOf(row: ApprovalRow): string {
  return shortArguments(row.editedArguments ?? row.argumentsText)
}

/** Shows what was asked for beside what was approved, where somebody edited it. */
function Edits({ row: { argumentsText, editedArguments } }: { row: ApprovalRow }) {
  if (editedArguments === null) return null
  return (
    <div className="relative z-10">
      <Disclosure summary="What was edited">
        <ChangedArguments before={argumentsText} after={editedArguments} />
      </Disclosure>
    </div>
  )
}

/** Returns how long the call waited: "after 2 min". */
function waitedWords({ requestedAt, decidedAt, expiresAt }: ApprovalRow): string {
  const waited = Date.parse(decidedAt ?? expiresAt) - Date.parse(requestedAt)
  return `after ${formatDuration(Math.max(0, waited))}`
}

/** Shows the call and its decision. */
function Entry({ row }: { row: ApprovalRow }) {
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <DecidedPill status={row.status} />
        <RelativeTime
          at={row.decidedAt ?? row.expiresAt}
          className="relative z-10 text-muted text-sm"
        />
      </div>
      <CardLink href={`/runs/${row.runId}`} className="font-mono text-mono">
        <VisibleText text={row.toolName} />{' '}
        <span className="text-muted">
          <VisibleText text={argumentsOf(row)} />
        </span>
      </CardLink>
      {row.message !== '' && (
        <p className="text-sm [overflow-wrap:anywhere]">
          <VisibleText text={row.message} />
        </p>
      )}
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        Decided by <VisibleText text={row.decidedByLabel ?? 'nobody'} /> {waitedWords(row)}, run by{' '}
        <VisibleText text={row.userEmail} />
      </p>
      <Edits row={row} />
    </>
  )
}
