import Link from 'next/link'
import { shortArguments } from '@/components/trace/short-arguments'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ApprovalRow } from '@/lib/runs/list-approvals'
import { DecidedPill } from './decided-pill'

/** The table of narrow screens: which call, and what was said. */
export function DecidedCards({ rows }: { rows: ApprovalRow[] }) {
  return (
    <ul className="flex flex-col gap-2 md:hidden">
      {rows.map((row) => (
        <li key={row.approvalId}>
          <Entry row={row} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ row }: { row: ApprovalRow }) {
  return (
    <article className="relative flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <DecidedPill status={row.status} />
        <RelativeTime
          at={row.decidedAt ?? row.expiresAt}
          className="relative z-10 text-muted text-sm"
        />
      </div>
      <Link
        href={`/runs/${row.runId}`}
        className="font-mono text-mono [overflow-wrap:anywhere] after:absolute after:inset-0"
      >
        <span className="text-strong">
          <VisibleText text={row.toolName} />
        </span>{' '}
        <span className="text-muted">
          <VisibleText text={shortArguments(row.editedArguments ?? row.argumentsText)} />
        </span>
      </Link>
      {row.message !== '' && (
        <p className="text-sm [overflow-wrap:anywhere]">
          <VisibleText text={row.message} />
        </p>
      )}
      <p className="text-muted text-sm [overflow-wrap:anywhere]">
        Decided by {row.decidedByLabel ?? 'nobody'}, run by {row.userEmail}
      </p>
    </article>
  )
}
