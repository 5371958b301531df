'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { CustomField, FormField, FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { PersonPicker } from '@/components/people/person-picker'
import { Button } from '@/components/ui/button'
import type { ScheduleListing } from '@/lib/domains/schedules/schemas'
import { scheduleShape } from '@/lib/domains/schedules/shape'
import type { ActionResult } from '@/lib/kernel/action'
import { visibleText } from '@/lib/protocol/clean-text'
import { addSchedule, changeSchedule } from './actions'

/** What a schedule can name: configurations, and who adds it. */
export type ScheduleChoices = {
  configurations: { id: string; name: string }[]
  me: { id: string; email: string }
}

type Props = {
  choices: ScheduleChoices
  /** The schedule that is edited; null = a new one. */
  schedule: ScheduleListing | null
  onClose: () => void
}

/** Shows the form of a schedule, a new one or one that exists. */
export function ScheduleForm({ choices: { configurations, me }, schedule, onClose }: Props) {
  const [person, setPerson] = useState(schedule?.runAs ?? me)
  const name = schedule ? visibleText(schedule.name) : ''
  const form = useActionForm({
    values: {
      name: schedule?.name ?? '',
      cron: schedule?.cron ?? '',
      timeZone: schedule?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      configurationId: schedule?.configuration?.id ?? null,
      prompt: schedule?.prompt ?? '',
      userId: person.id,
      missed: schedule?.missed ?? 'skip',
      reason: '',
    },
    send: ({ configurationId, ...typed }): Promise<ActionResult<unknown>> => {
      // Nothing picked is refused beside the field.
      const values = { ...typed, configurationId: configurationId ?? '' }
      return schedule ? changeSchedule({ id: schedule.id, ...values }) : addSchedule(values)
    },
    done: schedule ? `Saved ${name}` : 'Added the schedule',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={schedule ? `Edit ${name}` : 'Add schedule'}
      description="At each of its times, one server starts one run, with the rights that its person has then."
      button={schedule ? 'Save' : 'Add schedule'}
      failed={schedule ? 'The schedule was not saved' : 'The schedule was not added'}
      onClose={onClose}
    >
      <FormFields
        fields={{
          name: scheduleShape.name,
          cron: scheduleShape.cron,
          timeZone: scheduleShape.timeZone,
        }}
      />
      <FormField
        name="configurationId"
        shape={{
          ...scheduleShape.configurationId,
          choices: configurations.map(({ id: value, name: label }) => ({ value, label })),
        }}
      />
      <FormField name="prompt" shape={scheduleShape.prompt} />
      <CustomField<string> name="userId" label={scheduleShape.userId.label}>
        {(control, { onChange }) => (
          <PersonPicker
            control={control}
            label={scheduleShape.userId.label}
            any="You"
            chosen={person.email}
            onPick={(picked = { ...me, name: '' }) => {
              setPerson(picked)
              onChange(picked.id)
            }}
          />
        )}
      </CustomField>
      <FormFields fields={{ missed: scheduleShape.missed, reason: scheduleShape.reason }} />
    </FormDialog>
  )
}

export function NewScheduleButton({ choices }: { choices: ScheduleChoices }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add schedule
      </Button>
      {open && <ScheduleForm choices={choices} schedule={null} onClose={() => setOpen(false)} />}
    </>
  )
}
