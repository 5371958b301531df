import type { FilterField } from '@/components/forms/address-filter'
import { type ExplainFilter, noConfiguration } from './explain-filter'
import type { Question } from './read-question'

/** The filter of the page: for whom and with what, then which tools to show. */
export function explainFields(
  { person, usual, configurations, tasks }: Question,
  filter: ExplainFilter,
): FilterField[] {
  const others = configurations.filter((each) => usual === 'none' || each.id !== usual.id)
  const none = { value: noConfiguration, label: 'No configuration' }
  return [
    {
      type: 'person',
      name: 'user',
      label: 'User',
      any: 'Myself',
      chosen: filter.user === undefined ? null : (person?.email ?? 'Nobody'),
    },
    {
      type: 'choice',
      name: 'configuration',
      label: 'Configuration',
      any: usual === 'none' ? none.label : usual.name,
      options: [
        ...others.map(({ id, name, identifier, enabled }) => ({
          value: id,
          label: enabled ? name : `${name} (off)`,
          hint: identifier,
        })),
        ...(usual === 'none' ? [] : [none]),
      ],
    },
    ...(tasks.length > 0 ? [taskField(tasks)] : []),
    {
      type: 'choice',
      name: 'verdict',
      label: 'Verdict',
      any: 'Allowed and denied',
      options: [
        { value: 'allowed', label: 'Allowed' },
        { value: 'refused', label: 'Denied' },
      ],
    },
    { type: 'search', name: 'search', label: 'Search tools' },
  ]
}

function taskField(tasks: Question['tasks']): FilterField {
  return {
    type: 'choice',
    name: 'task',
    label: 'Task',
    any: 'No task',
    options: tasks.map(({ id, name, identifier, enabled }) => ({
      value: id,
      label: enabled ? name : `${name} (off)`,
      hint: identifier,
    })),
  }
}

/**
 * Returns the values that the fields show. The usual configuration counts as not chosen, even when the address names
 * it.
 */
export function shownFilter({ configuration, usual, task }: Question, asked: ExplainFilter) {
  const filter = task && task !== 'none' ? { ...asked, task: task.id } : asked
  if (configuration === null) return filter
  if (configuration === usual) return { ...filter, configuration: undefined }
  const shown = configuration === 'none' ? noConfiguration : configuration.id
  return { ...filter, configuration: shown }
}
