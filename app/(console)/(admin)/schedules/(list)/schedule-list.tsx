import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import type { ScheduleListing, ScheduleSortKey } from '@/lib/domains/schedules/schemas'
import { ScheduleSwitch, StartOutcome, Times } from '../schedule-facts'

type Props = { rows: ScheduleListing[]; address: ListAddress<ScheduleSortKey> }

export function ScheduleList(props: Props) {
  return (
    <DataTable
      label="Schedules"
      columns={columns}
      rowKey={(schedule) => schedule.id}
      card={(schedule) => <Entry schedule={schedule} />}
      tableFrom="lg"
      {...props}
    />
  )
}

const columns: Column<ScheduleListing, ScheduleSortKey>[] = [
  {
    key: 'state',
    head: 'State',
    sort: 'switch',
    className: 'w-24',
    cell: (schedule) => <ScheduleSwitch schedule={schedule} />,
  },
  {
    key: 'name',
    head: 'Schedule',
    sort: 'text',
    className: 'min-w-40 max-w-80 [overflow-wrap:anywhere]',
    cell: (schedule) => (
      <RowLink href={`/schedules/${schedule.id}`}>
        <VisibleText text={schedule.name} />
      </RowLink>
    ),
  },
  { key: 'times', head: 'Times', cell: (schedule) => <Times schedule={schedule} /> },
  {
    key: 'next',
    head: 'Next',
    sort: 'coming',
    className: 'whitespace-nowrap',
    cell: (schedule) => <Next schedule={schedule} />,
  },
  {
    key: 'configuration',
    head: 'Configuration',
    className: 'max-w-56 [overflow-wrap:anywhere]',
    cell: ({ configuration }) =>
      configuration ? (
        <VisibleText text={configuration.name} />
      ) : (
        <span className="text-error">deleted</span>
      ),
  },
  {
    key: 'as',
    head: 'Run as',
    className: 'max-w-48 [overflow-wrap:anywhere]',
    cell: ({ runAs }) => <VisibleText text={runAs.email} />,
  },
  {
    key: 'last',
    head: 'Last',
    className: 'max-w-80',
    cell: ({ lastStart }) =>
      lastStart ? <StartOutcome start={lastStart} /> : <span className="text-muted">none yet</span>,
  },
]

function Next({ schedule: { next } }: { schedule: ScheduleListing }) {
  const [at] = next
  return at === undefined ? <span className="text-muted">–</span> : <RelativeTime at={at} />
}

/** Shows one schedule on a narrow screen. */
function Entry({ schedule }: { schedule: ScheduleListing }) {
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <CardLink href={`/schedules/${schedule.id}`}>
          <VisibleText text={schedule.name} />
        </CardLink>
        <ScheduleSwitch schedule={schedule} />
      </div>
      <Times schedule={schedule} />
      <span className="text-muted text-sm">
        Next: <Next schedule={schedule} />
      </span>
      {schedule.lastStart && <StartOutcome start={schedule.lastStart} />}
    </>
  )
}
