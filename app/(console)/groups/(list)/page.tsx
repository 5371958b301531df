import { SearchX, UsersRound } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { AddressFilter, type FilterField } from '@/components/forms/address-filter'
import { addressOf } from '@/components/forms/address-of'
import { countOf } from '@/components/trace/count-of'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHead } from '@/components/ui/page-head'
import { PageLinks } from '@/components/ui/page-links'
import { requireAdmin } from '@/lib/auth/require-user'
import { pageGroups } from '@/lib/groups/page-groups'
import { GroupFilter } from '@/lib/groups/schemas'
import { lenientQuery } from '@/lib/lenient-query'
import { GroupList } from './group-list'
import { NewGroupButton } from './new-group-button'

export const metadata: Metadata = { title: 'Groups' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

const fields: readonly FilterField[] = [{ type: 'search', name: 'search', label: 'Search groups' }]

export default async function GroupsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const filter = lenientQuery(GroupFilter, await searchParams)
  const { rows, total } = await pageGroups(ctx, filter)
  const wish = { search: filter.search }
  return (
    <div className="flex flex-col gap-4 p-4 md:p-6">
      <PageHead title="Groups" action={<NewGroupButton />}>
        A group gives its members configurations. Admins may use all of them without any.
      </PageHead>
      <AddressFilter path="/groups" fields={fields} values={wish} count={countOf(total, 'group')} />
      {rows.length === 0 ? (
        <Nothing narrowed={filter.search !== undefined || filter.page > 1} />
      ) : (
        <GroupList rows={rows} />
      )}
      <PageLinks
        of="groups"
        page={filter.page}
        pages={Math.ceil(total / filter.pageSize)}
        hrefOf={(page) => addressOf('/groups', { ...wish, page })}
      />
    </div>
  )
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed) {
    return (
      <EmptyState
        icon={SearchX}
        title="No group fits this filter"
        action={
          <Button asChild>
            <Link href="/groups">Show all groups</Link>
          </Button>
        }
      >
        Search looks at name and description.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={UsersRound} title="No groups yet" action={<NewGroupButton />}>
      Members use the configurations of their groups, and nothing else. Begin with one group for the
      people who do the same work.
    </EmptyState>
  )
}
