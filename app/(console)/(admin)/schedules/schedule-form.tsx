'use client'
import { Play } from 'lucide-react'
import { useFormState } from 'react-hook-form'
import { ActButton } from '@/components/forms/act-button'
import { useFieldState } from '@/components/forms/form-field'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { VariableFields } from '@/components/tasks/variable-fields'
import { type Schedule, schedules } from '@/lib/domains/schedules/shape'
import type { TaskValues, TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { initialValues } from '@/lib/domains/tasks/shared/task-values'
import { visibleText } from '@/lib/words/clean-text'
import { addSchedule, changeSchedule, removeSchedule, runSchedule } from './actions'
import { TimesPreview } from './schedule-times'
import { UsualTimes } from './usual-times'

type Sent = { taskId?: string | null | undefined; variables?: TaskValues | undefined }

function specFor({ tasks = [] }: ReferenceChoices): FormSpec<typeof schedules> {
  /** Leaves out values of variables that the task does not have: of another one, or of an earlier version. */
  const fitting = <I extends Sent>(input: I): I => {
    const task = tasks.find(({ id }) => id === input.taskId)
    if (!task) return input
    const names = new Set(task.variables.map(({ name }) => name))
    const known = Object.entries(input.variables ?? {}).filter(([name]) => names.has(name))
    return { ...input, variables: Object.fromEntries(known) }
  }
  return {
    add: (input) => addSchedule(fitting(input)),
    change: (input) => changeSchedule(fitting(input)),
    remove: removeSchedule,
    description:
      'At each of its times, one server starts one run or panel, with the rights that its person has then.',
    removal:
      'It starts nothing more. The runs that it started stay. To pause it, switch it off instead.',
    below: {
      cron: ({ cron, timeZone }) => (
        <TimesPreview cron={String(cron)} timeZone={String(timeZone)} />
      ),
    },
    own: {
      cron: () => <UsualTimes />,
      variables: ({ taskId }) => {
        const task = tasks.find(({ id }) => id === taskId)
        return task && <TaskValuesFields key={task.id} variables={task.variables} />
      },
    },
    settled: ({ taskId }) => (taskId === null ? { variables: {} } : { prompt: '' }),
    start: () => ({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  }
}

/** Shows the fields for the values of a task's variables. */
function TaskValuesFields({ variables }: { variables: TaskVariable[] }) {
  const { id, value, onChange } = useFieldState<TaskValues>('variables')
  const errors = Object(useFormState().errors.variables)
  const known = Object.entries(initialValues(variables))
  const values = Object.fromEntries(
    known.map(([name, usual]) => [name, String(value[name] ?? usual)]),
  )
  return (
    <VariableFields
      id={id}
      variables={variables}
      values={values}
      errors={Object.fromEntries(
        known.flatMap(([name]) => (errors[name] ? [[name, String(errors[name].message)]] : [])),
      )}
      onChange={(name, next) => onChange({ ...values, [name]: next })}
    />
  )
}

export function NewScheduleButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={schedules} spec={specFor(choices)} choices={choices} />
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
        failed="Nothing was started"
        done={`Started ${visibleText(schedule.name)}`}
        send={() => runSchedule({ id: schedule.id })}
      >
        Run now
      </ActButton>
      <ResourceActions
        resource={schedules}
        stored={schedule}
        spec={specFor(choices)}
        choices={choices}
      />
    </>
  )
}
