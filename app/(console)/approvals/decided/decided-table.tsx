import Link from 'next/link'
import { shortArguments } from '@/components/trace/short-arguments'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { ApprovalRow } from '@/lib/runs/list-approvals'
import { DecidedPill } from './decided-pill'

export function DecidedTable({ rows }: { rows: ApprovalRow[] }) {
  return (
    <div className="hidden md:block">
      <Table aria-label="Decided calls">
        <thead>
          <tr>
            <TableHead>Decision</TableHead>
            <TableHead>Call</TableHead>
            <TableHead>Message</TableHead>
            <TableHead>Run</TableHead>
            <TableHead>Run by</TableHead>
            <TableHead>Rule</TableHead>
            <TableHead>Decided by</TableHead>
            <TableHead>Decided</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.approvalId} row={row} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Line({ row }: { row: ApprovalRow }) {
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell>
        <DecidedPill status={row.status} />
      </TableCell>
      <TableCell className="min-w-48 max-w-80 font-mono text-mono">
        <span className="block text-strong [overflow-wrap:anywhere]">
          <VisibleText text={row.toolName} />
        </span>
        <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
          <VisibleText text={shortArguments(row.editedArguments ?? row.argumentsText)} />
        </span>
      </TableCell>
      <TableCell className="max-w-64">
        <span className="line-clamp-3 [overflow-wrap:anywhere]">
          <VisibleText text={row.message} />
        </span>
      </TableCell>
      <TableCell className="min-w-48 max-w-80">
        <Link
          href={`/runs/${row.runId}`}
          className="line-clamp-2 text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        >
          <VisibleText text={row.runPrompt} />
        </Link>
      </TableCell>
      <TableCell className="max-w-48 truncate">{row.userEmail}</TableCell>
      <TableCell className="max-w-40 [overflow-wrap:anywhere]">
        <VisibleText text={row.ruleName} />
      </TableCell>
      <TableCell className="max-w-48 truncate">{row.decidedByLabel ?? 'Nobody'}</TableCell>
      <TableCell className="whitespace-nowrap">
        <RelativeTime at={row.decidedAt ?? row.expiresAt} />
      </TableCell>
    </TableRow>
  )
}
