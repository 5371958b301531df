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
import { PeopleList } from './people-list'
import { type Person, useFoundPeople } from './use-found-people'

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
  /** Of the field it stands in. */
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
