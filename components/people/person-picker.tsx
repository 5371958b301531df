'use client'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { controlStyles } from '@/components/ui/control-styles'
import type { FieldControl } from '@/components/ui/field'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { SearchInput } from '@/components/ui/search-input'
import { type FoundPeople, type Person, useFoundPeople } from './find-people'

/**
 * Shows a field that finds one person by typing. `chosen` is the name of the picked person; null = nobody is picked.
 */
export function PersonPicker({
  label,
  any,
  chosen,
  onPick,
  control,
  className,
}: {
  label: string
  /** The label for no choice. */
  any: string
  chosen: string | null
  onPick: (person: Person | undefined) => void
  /** The attributes that connect the picker with the label, hint and error of its field. */
  control?: FieldControl
  className?: string
}) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = useFoundPeople(open, search)
  const pick = (person: Person | undefined) => {
    setOpen(false)
    setSearch('')
    onPick(person)
  }
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <button
          type="button"
          {...control}
          aria-label={`${label}: ${chosen ?? any}`}
          className={cn(
            controlStyles,
            'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10',
            className,
          )}
        >
          <span className="truncate">
            <VisibleText text={chosen ?? any} />
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label={label} className="flex flex-col gap-2">
        <SearchInput label="Search people" value={search} onChange={setSearch} />
        <Button variant="ghost" className="justify-start" onClick={() => pick(undefined)}>
          {any}
        </Button>
        <PeopleList found={found} onPick={pick} />
      </PopoverContent>
    </Popover>
  )
}

/**
 * Shows the people that were found, each with a button that picks them. `noteOf` says why a person cannot be picked.
 */
export function PeopleList({
  found,
  disabled = false,
  noteOf,
  onPick,
}: {
  found: FoundPeople
  disabled?: boolean
  noteOf?: (person: Person) => string | null
  onPick: (person: Person) => void
}) {
  if (found === null) return <p className="text-muted">Searching…</p>
  if ('problem' in found) return <p className="text-error">{found.problem}</p>
  if (found.rows.length === 0) return <p className="text-muted">No matches</p>
  return (
    <>
      <ul>
        {found.rows.map((person) => (
          <li key={person.id}>
            <Entry
              person={person}
              note={noteOf?.(person) ?? null}
              disabled={disabled}
              onPick={onPick}
            />
          </li>
        ))}
      </ul>
      {found.total > found.rows.length && (
        <p className="text-muted text-sm">
          {found.total - found.rows.length} more. Keep typing to narrow the list.
        </p>
      )}
    </>
  )
}

function Entry({
  person,
  note,
  disabled,
  onPick,
}: {
  person: Person
  note: string | null
  disabled: boolean
  onPick: (person: Person) => void
}) {
  // Not `disabled`, so that the focus stays on the person who was just picked.
  const resting = disabled || note !== null
  return (
    <Button
      variant="ghost"
      className="h-auto w-full flex-col items-start gap-0 py-1 text-left"
      aria-disabled={resting || undefined}
      onClick={() => {
        if (!resting) onPick(person)
      }}
    >
      <span className="max-w-full truncate">
        <VisibleText text={person.name} />
        {note !== null && ` (${note})`}
      </span>
      <span className="max-w-full truncate font-normal text-muted text-sm">{person.email}</span>
    </Button>
  )
}
