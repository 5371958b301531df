import type { FilterField } from '@/components/forms/address-filter'
import type { SelectOption } from '@/components/ui/select'
import { type ExplainFilter, noConfiguration } from './explain-filter'
import type { Question } from './read-question'

/** Returns the filter of the page: for whom and with what, then which tools to show. */
export function explainFields(
  { person, usual, keys, configurations, tasks }: Question,
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
      chosen: filter.user === undefined ? null : (person?.name ?? 'Nobody'),
    },
    ...(keys.length > 0 ? [keyField(keys)] : []),
    {
      type: 'choice',
      name: 'configuration',
      label: 'Configuration',
      any: usual === 'none' ? none.label : usual.name,
      options: [
        ...others.map(optionFor(filter.configuration)),
        ...(usual === 'none' ? [] : [none]),
      ],
    },
    ...(tasks.length > 0 ? [taskField(tasks, filter.task)] : []),
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

function keyField(keys: Question['keys']): FilterField {
  return {
    type: 'choice',
    name: 'key',
    label: 'API key',
    any: 'No API key',
    options: keys.map(({ id, name }) => ({ value: id, label: name })),
  }
}

function taskField(tasks: Question['tasks'], text: string | undefined): FilterField {
  return {
    type: 'choice',
    name: 'task',
    label: 'Task',
    any: 'No task',
    options: tasks.map(optionFor(text)),
  }
}

/** Returns the option that was picked. The address may name it by its identifier. */
function optionFor(text: string | undefined) {
  return ({ id, name, identifier, enabled }: Question['tasks'][number]): SelectOption => ({
    value: identifier === text ? identifier : id,
    label: enabled ? name : `${name} (off)`,
    hint: identifier,
  })
}
