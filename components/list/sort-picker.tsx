'use client'
import { parseAsString, useQueryStates } from 'nuqs'
import { Select } from '../ui/select'

/** Shows a select for the order where there are no column heads. The address leaves out the default order `usual`. */
export function SortPicker({
  usual,
  choices,
}: {
  usual: string
  choices: readonly { order: string; label: string }[]
}) {
  const [{ sort }, change] = useQueryStates(
    { sort: parseAsString.withDefault(usual), page: parseAsString },
    { shallow: false },
  )
  const known = choices.some(({ order }) => order === sort)
  return (
    <Select
      aria-label="Order"
      options={choices.map(({ order, label }) => ({ value: order, label }))}
      value={known ? sort : usual}
      onValueChange={(order) => void change({ sort: order, page: null })}
    />
  )
}
