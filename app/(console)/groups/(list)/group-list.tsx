import Link from 'next/link'
import { countOf } from '@/components/trace/count-of'
import { VisibleText } from '@/components/trace/visible-text'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { GroupRow } from '@/lib/groups/schemas'
import { formatCount } from '@/lib/protocol/format'

/** A table, and cards where there is no room for one. */
export function GroupList({ rows }: { rows: GroupRow[] }) {
  return (
    <>
      <div className="hidden md:block">
        <Table aria-label="Groups">
          <thead>
            <tr>
              <TableHead>Group</TableHead>
              <TableHead>What it is for</TableHead>
              <TableHead className="text-right">Members</TableHead>
              <TableHead className="text-right">Configurations</TableHead>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line key={row.id} row={row} />
            ))}
          </tbody>
        </Table>
      </div>
      <ul className="flex flex-col gap-2 md:hidden">
        {rows.map((row) => (
          <li key={row.id}>
            <Entry row={row} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Line({ row }: { row: GroupRow }) {
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell className="min-w-40 max-w-80">
        <Link
          href={`/groups/${row.id}`}
          className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        >
          <VisibleText text={row.name} />
        </Link>
      </TableCell>
      <TableCell className="max-w-120 text-muted [overflow-wrap:anywhere]">
        <VisibleText text={row.description} />
      </TableCell>
      <TableCell className="numeric text-right">{formatCount(row.members)}</TableCell>
      <TableCell className="numeric text-right">{formatCount(row.configurations)}</TableCell>
    </TableRow>
  )
}

function Entry({ row }: { row: GroupRow }) {
  return (
    <article className="relative flex flex-col gap-1 rounded-md border bg-surface-1 p-3">
      <Link
        href={`/groups/${row.id}`}
        className="font-medium text-strong [overflow-wrap:anywhere] after:absolute after:inset-0"
      >
        <VisibleText text={row.name} />
      </Link>
      <p className="numeric text-muted text-sm">
        {countOf(row.members, 'member')} · {countOf(row.configurations, 'configuration')}
      </p>
    </article>
  )
}
