import Link from 'next/link'
import { roleWords, stateWords } from '@/components/people/user-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import type { UserListing } from '@/lib/users/schemas'

export function UserTable({ rows, ownId }: { rows: UserListing[]; ownId: string }) {
  return (
    <div className="hidden md:block">
      <Table aria-label="Users">
        <thead>
          <tr>
            <TableHead>Person</TableHead>
            <TableHead>State</TableHead>
            <TableHead>Role</TableHead>
            <TableHead>Groups</TableHead>
            <TableHead>Signs in with</TableHead>
            <TableHead>Last sign-in</TableHead>
            <TableHead>Added</TableHead>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.id} row={row} own={row.id === ownId} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const ways = { password: 'Password', 'identity-provider': 'Identity provider', none: 'Nothing yet' }

function Line({ row, own }: { row: UserListing; own: boolean }) {
  const { pill, word } = stateWords[row.state]
  return (
    <TableRow className="transition-colors hover:bg-surface-2">
      <TableCell className="min-w-56 max-w-96">
        <p className="flex flex-wrap items-center gap-x-2">
          <Link
            href={`/users/${row.id}`}
            className="text-link underline-offset-2 [overflow-wrap:anywhere] hover:underline"
          >
            <VisibleText text={row.name} />
          </Link>
          {own && <Badge>You</Badge>}
        </p>
        <p className="text-muted [overflow-wrap:anywhere]">{row.email}</p>
      </TableCell>
      <TableCell>
        <StatePill state={pill}>{word}</StatePill>
      </TableCell>
      <TableCell>{roleWords[row.role]}</TableCell>
      <TableCell className="max-w-64 [overflow-wrap:anywhere]">
        {row.groups.length > 0 ? <VisibleText text={row.groups.join(', ')} /> : 'None'}
      </TableCell>
      <TableCell>{ways[row.signIn]}</TableCell>
      <TableCell className="whitespace-nowrap">
        {row.lastSignInAt ? <RelativeTime at={row.lastSignInAt} /> : 'Never'}
      </TableCell>
      <TableCell className="whitespace-nowrap">
        <RelativeTime at={row.createdAt} />
      </TableCell>
    </TableRow>
  )
}
