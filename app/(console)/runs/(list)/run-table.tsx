import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { formatCostMicroUsd, formatCount } from '@/lib/protocol/format'
import type { RunRow } from '@/lib/runs/schemas'
import { rowPill } from './row-pill'
import { RunDuration } from './run-duration'

export function RunTable({ rows, admin }: { rows: RunRow[]; admin: boolean }) {
  return (
    <div className="hidden md:block">
      <Table aria-label="Runs">
        <thead>
          <tr>
            <TableHead>State</TableHead>
            <TableHead>Prompt</TableHead>
            <TableHead>Configuration</TableHead>
            {admin && <TableHead>User</TableHead>}
            <TableHead className="text-right">Rounds</TableHead>
            <TableHead className="text-right">Calls</TableHead>
            <TableHead className="text-right">Tokens in / out</TableHead>
            <TableHead className="text-right">Cost</TableHead>
            <TableHead className="text-right">Time</TableHead>
            <TableHead>Started</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.runId} row={row} admin={admin} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const figure = 'numeric whitespace-nowrap text-right'

function Line({ row, admin }: { row: RunRow; admin: boolean }) {
  const { pill, word } = rowPill(row)
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell>
        <StatePill state={pill}>{word}</StatePill>
      </TableCell>
      <TableCell className="min-w-56 max-w-96">
        <Link
          href={`/runs/${row.runId}`}
          className="line-clamp-2 text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        >
          <VisibleText text={row.prompt} />
        </Link>
        {row.source !== 'console' && <Badge className="mt-1">{row.source}</Badge>}
      </TableCell>
      <TableCell>{row.configurationName}</TableCell>
      {admin && <TableCell className="max-w-48 truncate">{row.userEmail}</TableCell>}
      <TableCell className={figure}>{formatCount(row.rounds)}</TableCell>
      <TableCell className={figure}>{formatCount(row.calls)}</TableCell>
      <TableCell className={figure}>
        {formatCount(row.inputTokens)} / {formatCount(row.outputTokens)}
      </TableCell>
      <TableCell className={figure}>{formatCostMicroUsd(row.costMicroUsd)}</TableCell>
      <TableCell className={figure}>
        <RunDuration row={row} />
      </TableCell>
      <TableCell className="whitespace-nowrap">
        <RelativeTime at={row.createdAt} />
      </TableCell>
    </TableRow>
  )
}
