import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { TaskListing, TaskSortKey } from '@/lib/domains/tasks/schemas'
import { anyConfiguration } from '@/lib/domains/tasks/shape'
import { countOf, formatCount, onOrOff } from '@/lib/protocol/format'

type Props = { rows: TaskListing[]; address: ListAddress<TaskSortKey> }

export function TaskList(props: Props) {
  return (
    <DataTable
      label="Tasks"
      columns={columns}
      rowKey={(row) => row.id}
      card={(row) => <Entry row={row} />}
      {...props}
    />
  )
}

const columns: Column<TaskListing, TaskSortKey>[] = [
  {
    key: 'name',
    head: 'Task',
    sort: 'text',
    className: 'min-w-44 max-w-96 [overflow-wrap:anywhere]',
    cell: (row) => (
      <>
        <RowLink href={`/tasks/${row.id}`}>
          <VisibleText text={row.name} />
        </RowLink>
        <p className="font-mono text-mono text-muted">{row.identifier}</p>
      </>
    ),
  },
  {
    key: 'configuration',
    head: 'Configuration',
    sort: 'text',
    className: '[overflow-wrap:anywhere]',
    cell: (row) =>
      row.configuration?.name ?? <span className="text-muted">{anyConfiguration}</span>,
  },
  {
    key: 'variables',
    head: 'Variables',
    figures: true,
    cell: (row) => formatCount(row.variables),
  },
  { key: 'skills', head: 'Skills', figures: true, cell: (row) => formatCount(row.skills) },
  {
    key: 'version',
    head: 'Version',
    sort: 'number',
    figures: true,
    cell: (row) => formatCount(row.version),
  },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (row) => <RelativeTime at={row.updatedAt} />,
  },
  { key: 'state', head: 'State', cell: (row) => <OnOff on={row.enabled} /> },
]

function Entry({ row }: { row: TaskListing }) {
  return (
    <>
      <div className="flex items-center justify-between gap-2">
        <CardLink href={`/tasks/${row.id}`}>
          <VisibleText text={row.name} />
        </CardLink>
        <OnOff on={row.enabled} />
      </div>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{row.configuration?.name ?? `configuration ${anyConfiguration}`}</li>
        <li>{countOf(row.variables, 'variable')}</li>
      </ul>
    </>
  )
}

function OnOff({ on }: { on: boolean }) {
  return <StatePill state={on ? 'ok' : 'off'}>{onOrOff(on)}</StatePill>
}
