'use client'
import { Pencil, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import type { GroupDetails } from '@/lib/domains/groups/schemas'
import { countOf } from '@/lib/protocol/format'
import { changeGroup, removeGroup } from '../actions'
import { GroupForm } from '../group-form'

export function GroupActions({ group }: { group: GroupDetails }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const router = useRouter()
  const close = () => setOpen(null)
  return (
    <>
      <Button onClick={() => setOpen('edit')}>
        <Pencil className="size-4" aria-hidden />
        Edit
      </Button>
      <Button onClick={() => setOpen('delete')}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {open === 'edit' && (
        <GroupForm
          title={`Edit ${group.name}`}
          button="Save"
          initial={group}
          send={(texts) => changeGroup({ groupId: group.id, ...texts })}
          done="Saved the group"
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ActWithReason
          title={`Delete ${group.name}`}
          failed="The group was not deleted"
          done={`Deleted ${group.name}`}
          send={(reason) => removeGroup({ groupId: group.id, reason })}
          onDone={() => router.push('/groups')}
          onClose={close}
        >
          <Losses group={group} />
        </ActWithReason>
      )}
    </>
  )
}

/** Says what the members lose with the group. */
function Losses({ group: { members, configurations } }: { group: GroupDetails }) {
  if (members.length === 0) return <p>It has no members, so nobody loses access.</p>
  if (configurations.length === 0) {
    return (
      <p>
        This group gives access to no configuration: its {countOf(members.length, 'member')} keep
        their access.
      </p>
    )
  }
  return (
    <>
      <p>
        {countOf(members.length, 'member')} can no longer start runs with these configurations,
        unless another of their groups allows them:
      </p>
      <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 text-strong">
        {configurations.map(({ id, name }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </li>
        ))}
      </ul>
    </>
  )
}
