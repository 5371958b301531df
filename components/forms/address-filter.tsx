'use client'
import { Check, LoaderCircle, SlidersHorizontal } from 'lucide-react'
import { createParser, useQueryStates } from 'nuqs'
import { useCallback, useEffect, useId, useState, useTransition } from 'react'
import { PersonPicker } from '@/components/people/person-picker'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { chosenStyles } from '@/components/ui/control-styles'
import { Input } from '@/components/ui/input'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { SearchInput } from '@/components/ui/search-input'
import type { SelectOption } from '@/components/ui/select'
import { visibleText } from '@/lib/words/clean-text'
import { Choice } from './choice'
import { localText, utcText } from './local-moment'

export type FilterField =
  | { type: 'search'; name: string; label: string }
  /** `any`: the label for no choice. */
  | { type: 'choice'; name: string; label: string; any: string; options: readonly SelectOption[] }
  /** One of all accounts, by id; `chosen` is what the picked one is called. */
  | { type: 'person'; name: string; label: string; any: string; chosen: string | null }
  /** A point in time: the reader's zone in the field, UTC in the address. */
  | { type: 'moment'; name: string; label: string }
  /** A few choices that stand beside each other. A second press takes the choice back. */
  | { type: 'presses'; name: string; label: string; options: readonly SelectOption[] }
  /** A figure that is typed; `unit` stands behind its label. */
  | { type: 'figure'; name: string; label: string; unit: string }

/**
 * Shows the filter of a list, which is kept in the page's address. The server reads the address again after each
 * change: after a short pause in typing, otherwise at once. `count` says how many rows match. `more`: fields that stand
 * behind a button, and beside the others as well while they have a value. On a phone only the search stands outside.
 */
export function AddressFilter({
  fields,
  more = [],
  count,
}: {
  fields: readonly FilterField[]
  more?: readonly FilterField[]
  count: string
}) {
  const filter = useAddressFilter([...fields, ...more])
  const set = more.filter((field) => filter.sentOf(field) !== '')
  const searches = fields.filter((field) => field.type === 'search')
  const beside = [...fields.filter(({ type }) => type !== 'search'), ...set]
  return (
    <search className="flex flex-wrap items-center gap-2">
      {searches.map((field) => (
        <Search key={field.name} field={field} filter={filter} isOnly={searches.length === 1} />
      ))}
      <div className="contents max-md:hidden">
        {beside.map((field) => (
          <One key={field.name} field={field} filter={filter} />
        ))}
      </div>
      <More fields={fields} more={more} filter={filter} />
      {[...fields, ...set].some((field) => filter.valueOf(field) !== '') && (
        <Button variant="ghost" onClick={filter.clear} className="max-md:hidden">
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

const pauseMs = 250

/** The address has the text without the spaces around it; the field keeps what was typed. */
const filterText = createParser({ parse: (text) => text, serialize: (text) => text.trim() })

/** Each change of the filter goes back to the first page of the list. */
const firstPage = { page: null, cursor: null }

function useAddressFilter(fields: readonly FilterField[]) {
  const [pending, startTransition] = useTransition()
  const names = [...fields.map(({ name }) => name), ...Object.keys(firstPage)]
  const [values, change] = useQueryStates(
    Object.fromEntries(names.map((name) => [name, filterText])),
    { shallow: false, startTransition },
  )
  // One timer for all names. The library's own pause has one for each, so the address could change in two steps.
  const [typed, setTyped] = useState<Record<string, string | null>>({})
  const send = useCallback(
    (changed: Record<string, string | null>) => {
      setTyped({})
      void change({ ...changed, ...firstPage })
    },
    [change],
  )
  useEffect(() => {
    if (Object.keys(typed).length === 0) return
    const timer = setTimeout(() => send(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, send])
  return {
    pending,
    valueOf: (field: FilterField) => known(field, { ...values, ...typed }[field.name] ?? ''),
    /** Returns what the address has, without text that was not sent yet. */
    sentOf: (field: FilterField) => known(field, values[field.name] ?? ''),
    /** Changes a field at once, together with typed text that was not sent yet. */
    pick: (name: string, value: string | undefined) => send({ ...typed, [name]: value ?? null }),
    type: (name: string, text: string) =>
      setTyped((before) => ({ ...before, [name]: text.trim() === '' ? null : text })),
    clear: () => {
      setTyped({})
      void change(null)
    },
  }
}

type Filter = ReturnType<typeof useAddressFilter>

/** Returns "" for a value that the field does not offer, as the server ignores it, too. */
function known(field: FilterField, value: string): string {
  if (field.type !== 'choice' && field.type !== 'presses') return value
  return field.options.some((option) => option.value === value) ? value : ''
}

/** Shows the button with the fields of `more` behind it; on a phone also those that stand beside it elsewhere. */
function More({
  fields,
  more,
  filter,
}: {
  fields: readonly FilterField[]
  more: readonly FilterField[]
  filter: Filter
}) {
  const behindOnPhones = fields.filter(({ type }) => type !== 'search')
  if (behindOnPhones.length + more.length === 0) return null
  const set = [...behindOnPhones, ...more].filter((field) => filter.sentOf(field) !== '').length
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button className={cn('shrink-0', more.length === 0 && 'md:hidden')}>
          <SlidersHorizontal className="size-4" aria-hidden />
          Filters
          {set > 0 && <span className="numeric md:hidden">{set}</span>}
        </Button>
      </PopoverTrigger>
      <PopoverContent
        aria-label="Filters"
        align="start"
        className="grid max-h-[70dvh] w-[36rem] max-w-[calc(100vw-2rem)] gap-2 overflow-y-auto sm:grid-cols-2"
      >
        {behindOnPhones.map((field) => (
          <div key={field.name} className="md:hidden">
            <One field={field} filter={filter} />
          </div>
        ))}
        {more.map((field) => (
          <One key={field.name} field={field} filter={filter} />
        ))}
        {set > 0 && (
          <Button variant="ghost" onClick={filter.clear} className="md:hidden">
            Clear filter
          </Button>
        )}
      </PopoverContent>
    </Popover>
  )
}

function One({ field, filter }: { field: FilterField; filter: Filter }) {
  const { name, label } = field
  switch (field.type) {
    case 'search':
      return <Search field={field} filter={filter} isOnly />
    case 'choice':
      return (
        <Choice
          aria-label={label}
          className="md:w-44"
          options={[{ value: 'any', label: field.any }, ...field.options]}
          value={filter.valueOf(field) || 'any'}
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
          className="md:w-56"
        />
      )
    case 'moment':
      return <Moment field={field} filter={filter} />
    case 'presses':
      return <Presses field={field} filter={filter} />
    case 'figure':
      return <Figure field={field} filter={filter} />
    default:
      return field satisfies never
  }
}

/** Shows a search. On a phone, one of several has a line of its own and its label above it. */
function Search({
  field,
  filter,
  isOnly,
}: {
  field: Extract<FilterField, { type: 'search' }>
  filter: Filter
  isOnly: boolean
}) {
  return (
    <div
      className={cn(
        'flex min-w-0 flex-1 flex-col gap-1 md:flex-none',
        !isOnly && 'max-md:basis-full max-md:[&_input]:placeholder:text-transparent',
      )}
    >
      {!isOnly && (
        <span aria-hidden className="text-muted text-sm md:hidden">
          {field.label}
        </span>
      )}
      <SearchInput
        label={field.label}
        placeholder={isOnly ? 'Search' : field.label}
        className="md:w-64"
        value={filter.valueOf(field)}
        onChange={(text) => filter.type(field.name, text)}
      />
    </div>
  )
}

function Presses({
  field,
  filter,
}: {
  field: Extract<FilterField, { type: 'presses' }>
  filter: Filter
}) {
  const { name, label, options } = field
  const current = filter.valueOf(field)
  return (
    <fieldset aria-label={label} title={label} className="flex flex-wrap gap-1">
      {options.map(({ value, label: word }) => (
        <Button
          key={value}
          aria-pressed={value === current}
          className={cn('px-2', value === current && chosenStyles)}
          onClick={() => filter.pick(name, value === current ? undefined : value)}
        >
          {value === current && <Check className="size-3.5" aria-hidden />}
          {word}
        </Button>
      ))}
    </fieldset>
  )
}

function Figure({
  field,
  filter,
}: {
  field: Extract<FilterField, { type: 'figure' }>
  filter: Filter
}) {
  const { name, label, unit } = field
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-1.5">
      <label htmlFor={id} className="shrink-0 text-muted text-sm">
        {label} ({unit})
      </label>
      <Input
        id={id}
        inputMode="decimal"
        className="w-24"
        value={filter.valueOf(field)}
        onChange={(event) => filter.type(name, event.target.value)}
      />
    </div>
  )
}

function Moment({ field, filter }: { field: FilterField; filter: Filter }) {
  const { name, label } = field
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
        value={localText(filter.valueOf(field))}
        suppressHydrationWarning
        onChange={(event) => filter.pick(name, utcText(event.target.value))}
      />
    </div>
  )
}
