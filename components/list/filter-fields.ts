import type { FilterField } from '@/components/forms/address-filter'
import type { SelectOption } from '@/components/ui/select'

type Asked = { label: string; choices: readonly SelectOption[] }

/** Returns the filter by a field of a resource, as its shape describes it. `any`: what the empty filter is called. */
export function choiceFilter(name: string, { label, choices }: Asked, any: string): FilterField {
  // Hints are for whoever sets the field.
  const options = choices.map((choice) => ({ value: choice.value, label: choice.label }))
  return { type: 'choice', name, label, any, options }
}

/** Filters what has a switch: "on" or "off" in the address. */
export const onOffField = choiceFilter(
  'state',
  {
    label: 'State',
    choices: [
      { value: 'on', label: 'On' },
      { value: 'off', label: 'Off' },
    ],
  },
  'On or off',
)
