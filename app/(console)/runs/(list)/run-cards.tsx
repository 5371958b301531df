import Link from 'next/link'
import { countOf } from '@/components/trace/count-of'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { formatCostMicroUsd } from '@/lib/protocol/format'
import type { RunRow } from '@/lib/runs/schemas'
import { rowPill } from './row-pill'

/** The table of narrow screens: what it was and how it went. */
export function RunCards({ rows, admin }: { rows: RunRow[]; admin: boolean }) {
  return (
    <ul className="flex flex-col gap-2 md:hidden">
      {rows.map((row) => (
        <li key={row.runId}>
          <Entry row={row} admin={admin} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ row, admin }: { row: RunRow; admin: boolean }) {
  const { pill, word } = rowPill(row)
  return (
    <article className="relative flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <StatePill state={pill}>{word}</StatePill>
        <RelativeTime at={row.createdAt} className="relative z-10 text-muted text-sm" />
      </div>
      <Link
        href={`/runs/${row.runId}`}
        className="line-clamp-2 text-strong [overflow-wrap:anywhere] after:absolute after:inset-0"
      >
        <VisibleText text={row.prompt} />
      </Link>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{row.configurationName}</li>
        {admin && <li>{row.userEmail}</li>}
        <li>{countOf(row.calls, 'call')}</li>
        <li>{formatCostMicroUsd(row.costMicroUsd)}</li>
      </ul>
    </article>
  )
}
