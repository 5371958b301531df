import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import type { FoundPeople, Person } from './use-found-people'

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
