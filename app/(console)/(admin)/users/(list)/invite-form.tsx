'use client'
import type { OneTimeLink } from '@toolgate/server/domains/users/schemas'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormFields, useFieldState } from '@/components/forms/form-field'
import { useAct } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { Role } from '@/lib/protocol/tool'
import type { FieldShape } from '@/lib/shape/field-shape'
import { addInvitedGroup, invite } from '../actions'
import { type GroupChoice, GroupTicks } from './group-ticks'

const fields: Record<string, FieldShape> = {
  name: { kind: 'text', label: 'Name' },
  email: { kind: 'text', type: 'email', label: 'E-mail' },
  role: {
    kind: 'select',
    label: 'Role',
    choices: [
      { value: 'member', label: 'Member', hint: 'May use the configurations of their groups' },
      { value: 'admin', label: 'Admin', hint: 'Everything' },
    ],
  },
}

type Invitation = { name: string; email: string; role: Role; groupIds: string[] }
const nothingTyped: Invitation = { name: '', email: '', role: 'member', groupIds: [] }

export function InviteForm({
  groups,
  onInvited,
  onClose,
}: {
  groups: GroupChoice[]
  onInvited: (link: OneTimeLink, name: string) => void
  onClose: () => void
}) {
  const form = useActionForm({
    values: nothingTyped,
    send: (person) => invite(person),
    onDone: ({ link }, { name }) => onInvited(link, name.trim()),
  })
  return (
    <FormDialog
      form={form}
      title="Invite"
      description="You get a link to send them: Toolgate sends no mail."
      button="Invite"
      failed="Not invited"
      onClose={onClose}
    >
      <FormFields fields={fields} />
      <GroupsField groups={groups} />
    </FormDialog>
  )
}

function GroupsField({ groups }: { groups: GroupChoice[] }) {
  const { value, onChange } = useFieldState<string[]>('groupIds')
  const [added, setAdded] = useState<GroupChoice[]>([])
  const known = [...groups.filter(({ id }) => added.every((each) => each.id !== id)), ...added]
  return (
    <>
      {known.length > 0 && <GroupTicks groups={known} picked={value} onChange={onChange} />}
      <NewGroup
        onAdded={(group) => {
          setAdded([...added, group])
          onChange([...value, group.id])
        }}
      />
    </>
  )
}

/** Adds a group without leaving the form. */
function NewGroup({ onAdded }: { onAdded: (group: GroupChoice) => void }) {
  const [name, setName] = useState('')
  const { busy, act } = useAct()
  const add = async () => {
    const words = { done: `Added ${name.trim()}` }
    const group = await act(() => addInvitedGroup({ name }), words)
    if (!group) return
    onAdded({ id: group.id, name: name.trim() })
    setName('')
  }
  return (
    <Field id="invite-new-group" label="New group" optional>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            value={name}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
            onKeyDown={(event) => {
              // Enter would send the invitation.
              if (event.key !== 'Enter') return
              event.preventDefault()
              if (name.trim() !== '' && !busy) void add()
            }}
          />
          <Button disabled={busy || name.trim() === ''} onClick={() => void add()}>
            Add group
          </Button>
        </div>
      )}
    </Field>
  )
}
