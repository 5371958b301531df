import { z } from 'zod'
import type { FilterField } from '@/components/forms/address-filter'
import { endWords } from '@/components/trace/end-words'
import { rowsPerPage } from '@/lib/protocol/resource'
import { EndReason } from '@/lib/protocol/run-event'
import { RunFilter } from '@/lib/runs/schemas'

const statuses = ['queued', 'running', 'waiting'] as const
const Status = z.enum(statuses)

/** The filter in the address of the list. Status and end reason are one field, because people ask for either. */
export const RunQuery = RunFilter.omit({ status: true, reason: true }).extend({
  state: z.enum([...statuses, ...EndReason.options]).optional(),
  pageSize: RunFilter.shape.pageSize.default(rowsPerPage),
})

/** Returns the filter as `listRuns` takes it. */
export function toRunFilter({ state, ...rest }: z.output<typeof RunQuery>): RunFilter {
  if (state === undefined) return rest
  const status = Status.safeParse(state)
  return status.success
    ? { ...rest, status: status.data }
    : { ...rest, reason: EndReason.parse(state) }
}

const states = [
  { value: 'queued', label: 'Waiting for a place' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting for approval' },
  ...EndReason.options.map((reason) => ({ value: reason, label: endWords(reason).word })),
]

/** Returns the fields of the list's filter. */
export function runFields(
  configurations: { id: string; name: string }[],
  tasks: { id: string; name: string }[],
): FilterField[] {
  return [
    { type: 'search', name: 'search', label: 'Search runs' },
    { type: 'choice', name: 'state', label: 'State', any: 'Any state', options: states },
    {
      type: 'choice',
      name: 'configuration',
      label: 'Configuration',
      any: 'All configurations',
      options: configurations.map(({ id, name }) => ({ value: id, label: name })),
    },
    ...(tasks.length > 0 ? [taskField(tasks)] : []),
  ]
}

function taskField(tasks: { id: string; name: string }[]): FilterField {
  return {
    type: 'choice',
    name: 'task',
    label: 'Task',
    any: 'With or without a task',
    options: tasks.map(({ id, name }) => ({ value: id, label: name })),
  }
}
