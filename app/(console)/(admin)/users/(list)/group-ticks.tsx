'use client'
import { useState } from 'react'
import { VisibleText } from '@/components/trace/visible-text'
import { Checkbox } from '@/components/ui/checkbox'
import { SearchInput } from '@/components/ui/search-input'

export type GroupChoice = { id: string; name: string }

const mostAtAGlance = 12

/** Picks groups. A long list has a search; picked groups stay visible. */
export function GroupTicks({
  groups,
  picked,
  onChange,
}: {
  groups: GroupChoice[]
  picked: string[]
  onChange: (ids: string[]) => void
}) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = groups.filter(
    ({ id, name }) => picked.includes(id) || name.toLowerCase().includes(wanted),
  )
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-strong">
        Groups <span className="font-normal text-muted">(optional)</span>
      </legend>
      {groups.length > mostAtAGlance && (
        <SearchInput label="Search groups" className="mb-1" value={search} onChange={setSearch} />
      )}
      {shown.length === 0 && <p className="text-muted text-sm">No matches</p>}
      <ul className="max-h-40 overflow-y-auto rounded-md border p-1 empty:hidden">
        {shown.map(({ id, name }) => (
          <li key={id}>
            <label
              htmlFor={`invite-${id}`}
              className="flex min-h-7 items-center gap-2 px-1 pointer-coarse:min-h-10"
            >
              <Checkbox
                id={`invite-${id}`}
                checked={picked.includes(id)}
                onCheckedChange={(on) =>
                  onChange(on ? [...picked, id] : picked.filter((each) => each !== id))
                }
              />
              <span className="[overflow-wrap:anywhere]">
                <VisibleText text={name} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
