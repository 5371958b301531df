'use client'
import { Play } from 'lucide-react'
import { ActButton } from '@/components/forms/act-button'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type Schedule, schedules } from '@/lib/domains/schedules/shape'
import { visibleText } from '@/lib/protocol/clean-text'
import { addSchedule, changeSchedule, removeSchedule, runSchedule } from './actions'
import { TimesPreview } from './schedule-times'

const spec: FormSpec<typeof schedules> = {
  add: addSchedule,
  change: changeSchedule,
  remove: removeSchedule,
  description:
    'At each of its times, one server starts one run, with the rights that its person has then.',
  removal:
    'It starts no more runs. Those that it started stay. To pause it, switch it off instead.',
  below: {
    cron: ({ cron, timeZone }) => <TimesPreview cron={String(cron)} timeZone={String(timeZone)} />,
  },
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
  return (
    <>
      <ActButton
        variant="primary"
        icon={<Play className="size-4 fill-current" aria-hidden />}
        failed="The run was not started"
        done={`Started ${visibleText(schedule.name)}`}
        send={() => runSchedule({ id: schedule.id })}
      >
        Run now
      </ActButton>
      <ResourceActions resource={schedules} stored={schedule} {...{ spec, choices }} />
    </>
  )
}
