'use client'
import { UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover'
import { SearchInput } from '@/components/ui/search-input'
import { findPeople } from '../actions'

export type Person = { id: string; name: string; email: string }
type Found = { rows: Person[]; total: number } | { problem: string } | null

const pauseMs = 200

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
  const found = useFound(open, search)
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger asChild>
        <Button>
          <UserPlus className="size-4" aria-hidden />
          Add a member
        </Button>
      </PopoverTrigger>
      <PopoverContent align="start" aria-label="Add a member" className="flex flex-col gap-2">
        <SearchInput label="Search people" value={search} onChange={setSearch} />
        <People found={found} inside={inside} disabled={disabled} onAdd={onAdd} />
      </PopoverContent>
    </Popover>
  )
}

function People({
  found,
  inside,
  disabled,
  onAdd,
}: {
  found: Found
  inside: ReadonlySet<string>
  disabled: boolean
  onAdd: (person: Person) => void
}) {
  if (found === null) return <p className="text-muted">Looking…</p>
  if ('problem' in found) return <p className="text-error">{found.problem}</p>
  if (found.rows.length === 0) return <p className="text-muted">Nobody is called that.</p>
  return (
    <>
      <ul>
        {found.rows.map((person) => (
          <li key={person.id}>
            <Button
              variant="ghost"
              className="h-auto w-full flex-col items-start gap-0 py-1 text-left"
              disabled={disabled || inside.has(person.id)}
              onClick={() => onAdd(person)}
            >
              <span className="max-w-full truncate">
                <VisibleText text={person.name} />
                {inside.has(person.id) && ' (in the group)'}
              </span>
              <span className="max-w-full truncate font-normal text-muted text-sm">
                {person.email}
              </span>
            </Button>
          </li>
        ))}
      </ul>
      {found.total > found.rows.length && (
        <p className="text-muted text-sm">{found.total - found.rows.length} more: go on typing.</p>
      )}
    </>
  )
}

/** Outside system: the server, asked after a pause in typing; an answer to an older question is dropped. */
function useFound(open: boolean, search: string): Found {
  const [found, setFound] = useState<Found>(null)
  useEffect(() => {
    if (!open) return
    let wanted = true
    const timer = setTimeout(async () => {
      const result = await sendAction(() => findPeople({ search }))
      if (wanted) setFound(result.ok ? result.value : { problem: result.error.message })
    }, pauseMs)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [open, search])
  return found
}
