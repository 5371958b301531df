import { UsersRound } from 'lucide-react'
import type { Metadata } from 'next'
import type { FilterField } from '@/components/forms/address-filter'
import { rowsPerPage } from '@/components/list/list-address'
import { ListFrame } from '@/components/list/list-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { requireAdmin } from '@/lib/auth/require-user'
import { pageGroups } from '@/lib/domains/groups/reads'
import { defaultGroupSort, GroupFilter } from '@/lib/domains/groups/schemas'
import { lenientQuery } from '@/lib/kernel/lenient-query'
import { NewGroupButton } from '../group-form'
import { GroupList } from './group-list'

export const metadata: Metadata = { title: 'Groups' }

const Query = GroupFilter.extend({ pageSize: GroupFilter.shape.pageSize.default(rowsPerPage) })

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: readonly FilterField[] = [{ type: 'search', name: 'search', label: 'Search groups' }]

export default async function GroupsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(Query, await searchParams)
  const { page, pageSize, sort, ...values } = filter
  const { rows, total } = await pageGroups(ctx, filter)
  const address = { path: '/groups', values, page, sort: { by: sort, default: defaultGroupSort } }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Groups" action={<NewGroupButton />}>
        Members may use the configurations of their groups. Admins may use all configurations.
      </PageHead>
      <ListFrame
        thing="group"
        address={address}
        fields={fields}
        total={total}
        pageSize={pageSize}
        searched="name and description"
        nothing={
          <EmptyState icon={UsersRound} title="No groups yet" action={<NewGroupButton />}>
            Members may only use the configurations of their groups. Start with one group for people
            who do the same work.
          </EmptyState>
        }
      >
        <GroupList rows={rows} address={address} />
      </ListFrame>
    </div>
  )
}
