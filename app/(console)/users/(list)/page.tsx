import { SearchX, UserRound } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { stateWords } from '@/components/people/user-words'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { PageLinks } from '@/components/ui/page-links'
import { requireAdmin } from '@/lib/auth/require-user'
import { listGroupNames } from '@/lib/groups/list-group-names'
import { lenientQuery } from '@/lib/lenient-query'
import { pageUsers } from '@/lib/users/page-users'
import { passwordSignInIsOn } from '@/lib/users/require-password-sign-in'
import { UserFilter } from '@/lib/users/schemas'
import { InviteButton } from './invite-button'
import { UserCards } from './user-cards'
import { UserTable } from './user-table'

export const metadata: Metadata = { title: 'Users' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: readonly FilterField[] = [
  { type: 'search', name: 'search', label: 'Search users' },
  {
    type: 'choice',
    name: 'role',
    label: 'Role',
    any: 'Any role',
    options: [
      { value: 'admin', label: 'Admins' },
      { value: 'member', label: 'Members' },
    ],
  },
  {
    type: 'choice',
    name: 'state',
    label: 'State',
    any: 'Any state',
    options: Object.entries(stateWords).map(([value, { word }]) => ({ value, label: word })),
  },
]

export default async function UsersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const { pageSize, page, ...wish } = lenientQuery(UserFilter, await searchParams)
  const [{ rows, total }, groups] = await Promise.all([
    pageUsers(ctx, { ...wish, page, pageSize }),
    listGroupNames(ctx),
  ])
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Users" action={passwordSignInIsOn() && <InviteButton groups={groups} />}>
        Who may sign in. Admins may do everything; members use what their groups were given.
      </PageHead>
      <AddressFilter path="/users" fields={fields} values={wish} count={countOf(total, 'user')} />
      {rows.length === 0 ? (
        <Nothing total={total} />
      ) : (
        <>
          <UserTable rows={rows} ownId={ctx.actor.userId} />
          <UserCards rows={rows} ownId={ctx.actor.userId} />
        </>
      )}
      <PageLinks
        of="users"
        page={page}
        pages={Math.ceil(total / pageSize)}
        hrefOf={(to) => addressOf('/users', { ...wish, page: to })}
      />
    </div>
  )
}

/** There is always somebody: whoever looks. */
function Nothing({ total }: { total: number }) {
  return (
    <EmptyState
      icon={total > 0 ? UserRound : SearchX}
      title={total > 0 ? 'There are not that many pages' : 'No user fits this filter'}
      action={
        <Button asChild>
          <Link href="/users">Show all users</Link>
        </Button>
      }
    >
      Search looks at name, e-mail address and group.
    </EmptyState>
  )
}
