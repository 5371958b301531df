'use client'
import Link from 'next/link'
import { useState } from 'react'
import { ChangeTrial } from '@/app/(console)/(admin)/change-trial'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import type { Person } from '@/components/people/find-people'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { SearchInput } from '@/components/ui/search-input'
import { Section } from '@/components/ui/section'
import type { GroupDetail } from '@/lib/domains/groups/shape'
import type { ActionResult } from '@/lib/next/action'
import { leavingWords } from '@/lib/shape/field-shape'
import { addMember, removeMember } from '../actions'
import { AddMember } from './add-member'

const shownAtOnce = 50

/** Lists the members of a group. A long list shows its beginning and has a search. */
export function GroupMembers({ group }: { group: GroupDetail }) {
  const { busy, act } = useAct()
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const [leaving, setLeaving] = useState<Person | null>(null)
  const wanted = search.trim().toLowerCase()
  const found = group.people.filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(wanted),
  )
  const shown = all ? found : found.slice(0, shownAtOnce)
  const set = ({ id: userId }: Person, member: boolean, reason?: string) =>
    member
      ? addMember({ groupId: group.id, userId })
      : removeMember({ groupId: group.id, userId, reason })
  const add = (person: Person) =>
    act(() => set(person, true), {
      done: `Added ${person.name}`,
      undo: () => set(person, false),
      about: person.id,
    })
  return (
    <Section
      title={`Members (${group.people.length})`}
      action={
        <AddMember inside={new Set(group.people.map(({ id }) => id))} disabled={busy} onAdd={add} />
      }
    >
      {group.people.length > 10 && (
        <SearchInput
          label="Search members"
          className="max-w-80"
          value={search}
          onChange={setSearch}
        />
      )}
      {group.people.length === 0 && <p className="text-muted">No members yet.</p>}
      {group.people.length > 0 && found.length === 0 && <p className="text-muted">No matches</p>}
      {shown.length > 0 && (
        <ul className="divide-y rounded-md border bg-surface-1">
          {shown.map((member) => (
            <Member
              key={member.id}
              member={member}
              disabled={busy}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <Button className="self-start" onClick={() => setAll(true)}>
          Show all {found.length}
        </Button>
      )}
      {leaving && (
        <RemoveMember person={leaving} group={group} set={set} onClose={() => setLeaving(null)} />
      )}
    </Section>
  )
}

/** Asks for a reason before a member is removed. */
function RemoveMember({
  person,
  group,
  set,
  onClose,
}: {
  person: Person
  group: { id: string; name: string }
  set: (person: Person, member: boolean, reason?: string) => Promise<ActionResult<unknown>>
  onClose: () => void
}) {
  return (
    <ActWithReason
      title={`Remove ${person.name} from ${group.name}`}
      done={`Removed ${person.name}`}
      send={(reason) => set(person, false, reason)}
      undo={() => set(person, true)}
      about={person.id}
      trial={<ChangeTrial draft={{ people: [{ id: person.id, joins: [], leaves: [group.id] }] }} />}
      onClose={onClose}
    >
      {leavingWords}
    </ActWithReason>
  )
}

function Member({
  member,
  disabled,
  onRemove,
}: {
  member: GroupDetail['people'][number]
  disabled: boolean
  onRemove: () => void
}) {
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <Link href={`/users/${member.id}`} className="text-link hover:underline">
          <VisibleText text={member.name} />
        </Link>
        <p className="text-muted text-sm">{member.email}</p>
      </div>
      {member.disabled && <Badge>{member.suspendedFor === null ? 'Disabled' : 'Suspended'}</Badge>}
      <Button size="sm" disabled={disabled} onClick={onRemove}>
        Remove<span className="sr-only"> {member.name}</span>
      </Button>
    </li>
  )
}
