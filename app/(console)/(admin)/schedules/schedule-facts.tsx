import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import type { ScheduleStart } from '@/lib/domains/schedules/shape'

/** Shows what came of one time: a link to its run, or why there is none. */
export function StartOutcome({ start }: { start: ScheduleStart }) {
  const { at, runId, panelId, refusal } = start
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
  if (runId === null && panelId === null) {
    return (
      <span className="text-muted text-sm">
        <RelativeTime at={at} />, what it started was deleted
      </span>
    )
  }
  return (
    <Link
      href={panelId === null ? `/runs/${runId}` : `/runs/panels/${panelId}`}
      className="text-link text-sm hover:underline"
    >
      {panelId === null ? 'Run' : 'Panel'} <RelativeTime at={at} />
    </Link>
  )
}
