'use client'
import { Play } from 'lucide-react'
import { useAct } from '@/components/forms/use-act'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { Button } from '@/components/ui/button'
import { type Schedule, schedules } from '@/lib/domains/schedules/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { addSchedule, changeSchedule, removeSchedule, runSchedule } from './actions'

const spec: FormSpec<typeof schedules> = {
  add: addSchedule,
  change: changeSchedule,
  remove: removeSchedule,
  description:
    'At each of its times, one server starts one run, with the rights that its person has then.',
  removal:
    'It starts no more runs. Those that it started stay. To pause it, switch it off instead.',
  start: () => ({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
}

export function NewScheduleButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={schedules} {...{ spec, choices }} />
}

/** Runs a schedule at once, edits it and deletes it. */
export function ScheduleActions({
  schedule,
  choices,
}: {
  schedule: Schedule
  choices: ReferenceChoices
}) {
  const { busy, act } = useAct()
  const run = () =>
    void act(() => runSchedule({ id: schedule.id }), {
      failed: 'The run was not started',
      done: `Started ${visibleText(schedule.name)}`,
    })
  return (
    <>
      <Button variant="primary" loading={busy} onClick={run}>
        {!busy && <Play className="size-4 fill-current" aria-hidden />}
        Run now
      </Button>
      <ResourceActions resource={schedules} stored={schedule} {...{ spec, choices }} />
    </>
  )
}
