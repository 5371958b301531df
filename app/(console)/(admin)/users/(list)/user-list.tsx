'use client'
import type { UserListing, UserSortKey } from '@toolgate/server/domains/users/schemas'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { roleWords, stateWords } from '@/components/people/user-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'

type Props = { rows: UserListing[]; ownId: string; address: ListAddress<UserSortKey> }

export function UserList({ ownId, ...props }: Props) {
  return (
    <DataTable
      label="Users"
      columns={columnsFor(ownId)}
      rowKey={(row) => row.id}
      card={(row) => <Entry row={row} own={row.id === ownId} />}
      {...props}
    />
  )
}

const ways = {
  password: 'Password',
  'identity-provider': 'Identity provider',
  none: 'Not set up',
}

function columnsFor(ownId: string): Column<UserListing, UserSortKey>[] {
  return [
    {
      key: 'name',
      head: 'Person',
      sort: 'text',
      className: 'min-w-56 max-w-96',
      cell: (row) => <Person row={row} own={row.id === ownId} />,
    },
    { key: 'state', head: 'State', cell: (row) => <State row={row} /> },
    { key: 'role', head: 'Role', sort: 'text', cell: (row) => roleWords[row.role] },
    {
      key: 'groups',
      head: 'Groups',
      className: 'max-w-64 [overflow-wrap:anywhere]',
      cell: ({ groups }) => (groups.length > 0 ? <VisibleText text={groups.join(', ')} /> : 'None'),
    },
    { key: 'way', head: 'Signs in with', cell: (row) => ways[row.signIn] },
    {
      key: 'signed-in',
      head: 'Last sign-in',
      sort: 'time',
      className: 'whitespace-nowrap',
      cell: (row) => (row.lastSignInAt ? <RelativeTime at={row.lastSignInAt} /> : 'Never'),
    },
    {
      key: 'added',
      head: 'Added',
      sort: 'time',
      className: 'whitespace-nowrap',
      cell: (row) => <RelativeTime at={row.createdAt} />,
    },
  ]
}

function Person({ row, own }: { row: UserListing; own: boolean }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <RowLink href={`/users/${row.id}`}>
          <VisibleText text={row.name} />
        </RowLink>
        {own && <Badge>You</Badge>}
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">{row.email}</p>
    </>
  )
}

/** Shows whether the person can sign in. */
function State({ row }: { row: UserListing }) {
  const { pill, word } = stateWords[row.state]
  return <StatePill state={pill}>{word}</StatePill>
}

function Entry({ row, own }: { row: UserListing; own: boolean }) {
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <CardLink href={`/users/${row.id}`} className="font-medium">
          <VisibleText text={row.name} />
          {own && ' (you)'}
        </CardLink>
        <State row={row} />
      </div>
      <p className="text-muted text-sm [overflow-wrap:anywhere]">{row.email}</p>
      <p className="text-sm [overflow-wrap:anywhere]">
        {roleWords[row.role]}
        {row.groups.length > 0 && (
          <>
            {' · '}
            <VisibleText text={row.groups.join(', ')} />
          </>
        )}
      </p>
    </>
  )
}
