import { listGroupNames } from '@toolgate/server/domains/groups/reads'
import { passwordSignInIsOn } from '@toolgate/server/domains/users/passwords'
import { pageUsers } from '@toolgate/server/domains/users/reads'
import { defaultUserSort, UserFilter } from '@toolgate/server/domains/users/schemas'
import { lenientQuery } from '@toolgate/server/edge/lenient-query'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { ListFrame } from '@/components/list/list-frame'
import { stateWords } from '@/components/people/user-words'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { requireAdmin } from '@/lib/next/require-user'
import { rowsPerPage } from '@/lib/shape/resource'
import { InviteButton } from './invite-button'
import { UserList } from './user-list'

export const metadata: Metadata = { title: 'People' }

const fromProvider = 'Accounts come from the identity provider: passwords are switched off.'

const Query = UserFilter.extend({ pageSize: UserFilter.shape.pageSize.default(rowsPerPage) })

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
  const filter = lenientQuery(Query, await searchParams)
  const { page, pageSize, sort, ...values } = filter
  const [{ rows, total }, groups] = await Promise.all([pageUsers(ctx, filter), listGroupNames(ctx)])
  const address = { path: '/users', values, page, sort: { by: sort, default: defaultUserSort } }
  const passwords = passwordSignInIsOn()
  return (
    <PageFrame kind="list">
      <PageHead title="People" action={passwords && <InviteButton groups={groups} />}>
        People who may sign in.
        {!passwords && ` ${fromProvider}`}
      </PageHead>
      <ListFrame
        thing="user"
        address={address}
        fields={fields}
        total={total}
        pageSize={pageSize}
        searched="name, e-mail address and group"
        nothing={null}
      >
        <UserList rows={rows} ownId={ctx.actor.userId} address={address} />
      </ListFrame>
    </PageFrame>
  )
}
