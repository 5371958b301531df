'use client'
import { parseAsString, useQueryStates } from 'nuqs'
import { Select } from '@/components/ui/select'

/** Shows a select for the order where there are no column heads. The address leaves out the default order. */
export function SortPicker({
  defaultOrder,
  choices,
}: {
  defaultOrder: string
  choices: readonly { order: string; label: string }[]
}) {
  const [{ sort }, change] = useQueryStates(
    { sort: parseAsString.withDefault(defaultOrder), page: parseAsString },
    { shallow: false },
  )
  const known = choices.some(({ order }) => order === sort)
  return (
    <Select
      aria-label="Order"
      options={choices.map(({ order, label }) => ({ value: order, label }))}
      value={known ? sort : defaultOrder}
      onValueChange={(order) => void change({ sort: order, page: null })}
    />
  )
}
