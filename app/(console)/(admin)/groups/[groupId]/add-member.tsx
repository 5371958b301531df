'use client'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { type Person, useFoundPeople } from '@/components/people/find-people'
import { PeopleList } from '@/components/people/person-picker'
import { Button } from '@/components/ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { SearchInput } from '@/components/ui/search-input'

/** Looks for people by name or address and adds one with a press. */
export function AddMember({
  inside,
  disabled,
  onAdd,
}: {
  inside: ReadonlySet<string>
  disabled: boolean
  onAdd: (person: Person) => void
}) {
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const found = useFoundPeople(open, search)
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button>
          <UserPlus className="size-4" aria-hidden />
          Add member
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label="Add member" className="flex flex-col gap-2">
        <SearchInput label="Search people" value={search} onChange={setSearch} />
        <PeopleList
          found={found}
          disabled={disabled}
          noteOf={({ id }) => (inside.has(id) ? 'in the group' : null)}
          onPick={onAdd}
        />
      </PopoverContent>
    </Popover>
  )
}
