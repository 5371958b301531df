import type { FilterField } from '@/components/forms/address-filter'
import { endWords } from '@/components/trace/end-words'
import { EndReason } from '@/lib/protocol/run-event'

const states = [
  { value: 'queued', label: 'Queued' },
  { value: 'running', label: 'Running' },
  { value: 'waiting', label: 'Waiting' },
  ...EndReason.options.map((reason) => ({ value: reason, label: endWords(reason).word })),
]

/** The fields of the list's filter. */
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
