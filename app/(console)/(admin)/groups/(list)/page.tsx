import { groupVerbs } from '@toolgate/server/domains/groups/verbs'
import { readResourceList } from '@toolgate/server/edge/resource-list'
import { UsersRound } from 'lucide-react'
import type { Metadata } from 'next'
import type { Column } from '@/components/list/columns'
import { CardLink } from '@/components/list/row-link'
import { nameColumn, ResourceList } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { EmptyState } from '@/components/ui/empty-state'
import { PageFrame } from '@/components/ui/page-frame'
import { PageHead } from '@/components/ui/page-head'
import { type Group, groups } from '@/lib/domains/groups/shape'
import { readReferenceChoices } from '@/lib/next/reference-choices'
import { requireAdmin } from '@/lib/next/require-user'
import type { SortKeyOf } from '@/lib/shape/resource'
import { countOf, formatCount } from '@/lib/words/format'
import { NewGroupButton } from '../group-form'

export const metadata: Metadata = { title: 'Groups' }

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export default async function GroupsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await requireAdmin()
  const list = await readResourceList(ctx, groups, groupVerbs, await searchParams)
  const add = <NewGroupButton choices={await readReferenceChoices(ctx, groups)} />
  return (
    <PageFrame kind="list">
      <PageHead title="Groups" action={add}>
        Members may use the configurations of their groups. Admins may use all configurations.
      </PageHead>
      <ResourceList
        resource={groups}
        list={list}
        columns={columns}
        card={(group) => <Entry group={group} />}
        searched="name and description"
        nothing={
          <EmptyState icon={UsersRound} title="No groups yet" action={add}>
            Members may only use the configurations of their groups. Start with one group for people
            who do the same work.
          </EmptyState>
        }
      />
    </PageFrame>
  )
}

const columns: Column<Group, SortKeyOf<typeof groups>>[] = [
  nameColumn('Group', groups),
  {
    key: 'description',
    head: groups.fields.description.label,
    className: 'max-w-120 text-muted [overflow-wrap:anywhere]',
    cell: ({ description }) => <VisibleText text={description} />,
  },
  {
    key: 'members',
    head: 'Members',
    sort: 'number',
    figures: true,
    cell: ({ members }) => formatCount(members.length),
  },
  {
    key: 'configurations',
    head: 'Configurations',
    sort: 'number',
    figures: true,
    cell: ({ configurations }) => formatCount(configurations.length),
  },
]

/** Shows one group on a narrow screen. */
function Entry({ group: { id, name, members, configurations } }: { group: Group }) {
  return (
    <>
      <CardLink href={`/groups/${id}`} className="font-medium">
        <VisibleText text={name} />
      </CardLink>
      <p className="numeric text-muted text-sm">
        {countOf(members.length, 'member')} · {countOf(configurations.length, 'configuration')}
      </p>
    </>
  )
}
