'use client'
import type { Values } from '@toolgate/server/edge/resource-values'
import { Play } from 'lucide-react'
import { useFormState } from 'react-hook-form'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { ActButton } from '@/components/forms/act-button'
import { useFieldState } from '@/components/forms/form-field'
import type { ReferenceChoices } from '@/components/resource/resource-form'
import { VariableFields } from '@/components/tasks/variable-fields'
import { schedules } from '@/lib/domains/schedules/shape'
import type { TaskValues, TaskVariable } from '@/lib/domains/tasks/shared/task-form'
import { initialValues } from '@/lib/domains/tasks/shared/task-values'
import { visibleText } from '@/lib/words/clean-text'
import { runSchedule } from './actions'
import { TimesPreview } from './schedule-times'
import { UsualTimes } from './usual-times'

/** Leaves out values of variables that the task does not have: of another one, or of an earlier version. */
function fitting(values: Values, { tasks = [] }: ReferenceChoices): Values {
  const task = tasks.find(({ id }) => id === values.taskId)
  if (!task) return values
  const names = new Set(task.variables.map(({ name }) => name))
  const known = Object.entries({ ...Object(values.variables) }).filter(([name]) => names.has(name))
  return { ...values, variables: Object.fromEntries(known) }
}

const form = resourceForm(
  schedules,
  {
    description: 'Each run has its person’s rights at that time.',
    removal: 'It starts nothing more. Its runs stay.',
    below: {
      cron: ({ cron, timeZone }) => (
        <TimesPreview cron={String(cron)} timeZone={String(timeZone)} />
      ),
    },
    own: {
      cron: () => <UsualTimes />,
      variables: ({ taskId }, { tasks = [] }) => {
        const task = tasks.find(({ id }) => id === taskId)
        return task && <TaskValuesFields key={task.id} variables={task.variables} />
      },
    },
    settled: ({ taskId }) => (taskId === null ? { variables: {} } : { prompt: '' }),
    fitting,
    start: () => ({ timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  },
  ({ object: { id, name } }) => (
    <ActButton
      variant="primary"
      icon={<Play className="size-4 fill-current" aria-hidden />}
      failed="Nothing was started"
      done={`Started ${visibleText(name)}`}
      send={() => runSchedule({ id })}
    >
      Run now
    </ActButton>
  ),
)
export const NewScheduleButton = form.NewButton
export const ScheduleActions = form.Actions

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
