'use client'
import { LoaderCircle } from 'lucide-react'
import { useId } from 'react'
import { PersonPicker } from '@/components/people/person-picker'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { SearchInput } from '@/components/ui/search-input'
import type { SelectOption } from '@/components/ui/select'
import { visibleText } from '@/lib/protocol/visible-text'
import { Choice } from './choice'
import { localText, utcText } from './local-moment'
import { type FilterValues, useAddressFilter } from './use-address-filter'

export type FilterField =
  | { type: 'search'; name: string; label: string }
  /** `any`: the label for no choice. */
  | { type: 'choice'; name: string; label: string; any: string; options: readonly SelectOption[] }
  /** One of all accounts, by id; `chosen` is what the picked one is called. */
  | { type: 'person'; name: string; label: string; any: string; chosen: string | null }
  /** A point in time: the reader's zone in the field, UTC in the address. */
  | { type: 'moment'; name: string; label: string }

/**
 * The filter of a list, kept in the page's address; a change goes back to the first page. `kept` is what else of the
 * address stays, such as the order; `count` says what fits.
 */
export function AddressFilter({
  path,
  fields,
  values,
  kept,
  count,
}: {
  path: string
  fields: readonly FilterField[]
  values: FilterValues
  kept?: FilterValues
  count: string
}) {
  const filter = useAddressFilter(path, values, kept)
  const narrowed = Object.values(values).some((value) => value !== undefined && value !== '')
  return (
    <search className="flex flex-wrap items-end gap-2">
      {fields.map((field) => (
        <One key={field.name} field={field} filter={filter} />
      ))}
      {narrowed && (
        <Button variant="ghost" onClick={filter.clear}>
          Clear filter
        </Button>
      )}
      <p
        role="status"
        className="numeric ml-auto flex min-h-8 min-w-0 items-center gap-1.5 text-muted text-sm [overflow-wrap:anywhere]"
      >
        {filter.pending && <LoaderCircle className="size-3.5 animate-spin" aria-hidden />}
        {visibleText(count)}
      </p>
    </search>
  )
}

type Filter = ReturnType<typeof useAddressFilter>

function One({ field, filter }: { field: FilterField; filter: Filter }) {
  const { name, label } = field
  switch (field.type) {
    case 'search':
      return (
        <SearchInput
          label={label}
          className="w-full sm:w-64"
          value={filter.valueOf(name)}
          onChange={(text) => filter.type(name, text)}
        />
      )
    case 'choice':
      return (
        <Choice
          aria-label={label}
          className="w-auto min-w-32 flex-1 sm:w-44 sm:min-w-0 sm:flex-none"
          options={[{ value: 'any', label: field.any }, ...field.options]}
          value={filter.valueOf(name) || 'any'}
          onValueChange={(value) => filter.pick(name, value === 'any' ? undefined : value)}
        />
      )
    case 'person':
      return (
        <PersonPicker
          label={label}
          any={field.any}
          chosen={field.chosen}
          onPick={(person) => filter.pick(name, person?.id)}
          className="w-auto min-w-32 flex-1 sm:w-56 sm:min-w-0 sm:flex-none"
        />
      )
    case 'moment':
      return <Moment name={name} label={label} filter={filter} />
    default:
      return field satisfies never
  }
}

function Moment({ name, label, filter }: { name: string; label: string; filter: Filter }) {
  const id = useId()
  return (
    <div className="flex w-full items-center gap-1.5 sm:w-auto">
      <label htmlFor={id} className="w-10 shrink-0 text-muted text-sm sm:w-auto">
        {label}
      </label>
      {/* The server does not know the reader's zone, so its text may differ from the browser's. */}
      <Input
        id={id}
        type="datetime-local"
        className="sm:w-52"
        value={localText(filter.valueOf(name))}
        suppressHydrationWarning
        onChange={(event) => filter.pick(name, utcText(event.target.value))}
      />
    </div>
  )
}
