import type { FilterField } from '../forms/address-filter'

/** The field of things with a switch: "on" or "off" in the address. */
export const onOffField: FilterField = {
  type: 'choice',
  name: 'state',
  label: 'State',
  any: 'On or off',
  options: [
    { value: 'on', label: 'On' },
    { value: 'off', label: 'Off' },
  ],
}
