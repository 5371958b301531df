import { scheduleVerbs } from '@toolgate/server/toolset/schedules/verbs'
import { resourceListPage } from '@/app/(console)/(admin)/resource-list'
import type { OwnColumn } from '@/components/resource/resource-list'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { type Schedule, schedules } from '@/lib/domains/schedules/shape'
import { withRunAsNames } from './run-as-names'
import { BlockedReason } from './schedule-blocked'
import { StartOutcome } from './schedule-facts'
import { NewScheduleButton } from './schedule-form'
import { Times } from './schedule-times'

export const metadata = { title: 'Schedules' }

const columns: OwnColumn<typeof schedules>[] = [
  {
    key: 'times',
    head: 'Times',
    className: 'max-w-80',
    cell: (schedule) => <Times schedule={schedule} />,
  },
  {
    key: 'next',
    head: 'Next',
    sort: 'coming',
    className: 'max-w-64 whitespace-nowrap',
    cell: (schedule) => <Next schedule={schedule} />,
  },
  {
    key: 'runs',
    head: 'Runs',
    className: 'max-w-56 [overflow-wrap:anywhere]',
    cell: (schedule) => <What schedule={schedule} />,
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

/** Shows what a schedule starts: its task, or the configuration that its prompt is for. */
function What({ schedule: { task, configuration, prompt } }: { schedule: Schedule }) {
  const named = task ?? (prompt === '' ? null : configuration)
  if (named === null) return <span className="text-error">deleted</span>
  return <VisibleText text={task ? `Task ${named.name}` : named.name} />
}

function Next({ schedule: { next, blocked } }: { schedule: Schedule }) {
  const [at] = next
  if (blocked) return <BlockedReason blocked={blocked} />
  return at === undefined ? <span className="text-muted">–</span> : <RelativeTime at={at} />
}

/** Shows what the card of a schedule says below its name. */
function Entry({ schedule }: { schedule: Schedule }) {
  return (
    <>
      <Times schedule={schedule} />
      <span className="text-muted text-sm">
        {!schedule.blocked && 'Next: '}
        <Next schedule={schedule} />
      </span>
      {schedule.lastStart && <StartOutcome start={schedule.lastStart} />}
    </>
  )
}

export default resourceListPage(schedules, scheduleVerbs, {
  about: 'Runs at set times.',
  empty: 'A schedule runs a prompt or a task at set times.',
  add: NewScheduleButton,
  columns,
  card: (schedule) => <Entry schedule={schedule} />,
  searched: 'name, prompt, task, configuration and person',
  complete: withRunAsNames,
})
