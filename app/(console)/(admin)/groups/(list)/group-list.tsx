import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import type { GroupRow, GroupSortKey } from '@/lib/domains/groups/schemas'
import { countOf, formatCount } from '@/lib/protocol/format'

type Props = { rows: GroupRow[]; address: ListAddress<GroupSortKey> }

export function GroupList(props: Props) {
  return (
    <DataTable
      label="Groups"
      columns={columns}
      rowKey={(row) => row.id}
      card={(row) => <Entry row={row} />}
      {...props}
    />
  )
}

const columns: Column<GroupRow, GroupSortKey>[] = [
  {
    key: 'name',
    head: 'Group',
    sort: 'text',
    className: 'min-w-40 max-w-80',
    cell: (row) => (
      <RowLink href={`/groups/${row.id}`}>
        <VisibleText text={row.name} />
      </RowLink>
    ),
  },
  {
    key: 'description',
    head: 'Purpose',
    className: 'max-w-120 text-muted [overflow-wrap:anywhere]',
    cell: (row) => <VisibleText text={row.description} />,
  },
  {
    key: 'members',
    head: 'Members',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.members),
  },
  {
    key: 'configurations',
    head: 'Configurations',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.configurations),
  },
]

function Entry({ row }: { row: GroupRow }) {
  return (
    <>
      <CardLink href={`/groups/${row.id}`} className="font-medium">
        <VisibleText text={row.name} />
      </CardLink>
      <p className="numeric text-muted text-sm">
        {countOf(row.members, 'member')} · {countOf(row.configurations, 'configuration')}
      </p>
    </>
  )
}
