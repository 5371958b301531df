import Link from 'next/link'
import { ReasonedSwitch } from '@/components/forms/reason-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { ScheduleDetail, ScheduleListing } from '@/lib/domains/schedules/schemas'
import { changeSchedule } from './actions'

/** Switches a schedule on or off. */
export function ScheduleSwitch({ schedule }: { schedule: ScheduleListing }) {
  const { id, name, enabled } = schedule
  return (
    <ReasonedSwitch id={id} name={name} enabled={enabled} send={changeSchedule}>
      It starts no run until it is switched on again. Active runs continue.
    </ReasonedSwitch>
  )
}

/** Shows when a schedule runs, as it is written. */
export function Times({ schedule: { cron, timeZone } }: { schedule: ScheduleListing }) {
  return (
    <span className="whitespace-nowrap text-sm">
      <code className="font-mono">{cron}</code> <span className="text-muted">{timeZone}</span>
    </span>
  )
}

/** Shows what came of one time: a link to its run, or why there is none. */
export function StartOutcome({ start }: { start: ScheduleDetail['starts'][number] }) {
  const { at, runId, refusal } = start
  if (refusal !== '') {
    return (
      <span className="flex flex-wrap items-center gap-x-2 text-sm">
        <StatePill state="error">not started</StatePill>
        <RelativeTime at={at} className="text-muted" />
        <span className="[overflow-wrap:anywhere]">
          <VisibleText text={refusal} />
        </span>
      </span>
    )
  }
  if (runId === null) {
    return (
      <span className="text-muted text-sm">
        <RelativeTime at={at} />, its run was deleted
      </span>
    )
  }
  return (
    <Link href={`/runs/${runId}`} className="text-link text-sm hover:underline">
      Run <RelativeTime at={at} />
    </Link>
  )
}
