'use client'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { useConfirmed } from '@/components/forms/use-confirmed'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { OneTimeLink } from '@/lib/domains/users/schemas'
import type { Role } from '@/lib/protocol/tool'
import { invite } from '../actions'
import { type GroupChoice, GroupTicks } from './group-ticks'

const roles = [
  { value: 'member', label: 'Member', hint: 'May use the configurations of their groups' },
  { value: 'admin', label: 'Admin', hint: 'May do everything' },
]

export function InviteForm({
  groups,
  onInvited,
  onClose,
}: {
  groups: GroupChoice[]
  onInvited: (link: OneTimeLink, name: string) => void
  onClose: () => void
}) {
  const confirmed = useConfirmed()
  const [role, setRole] = useState<Role>('member')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const send = async (text: (field: string) => string) => {
    const name = text('name').trim()
    const result = await confirmed(() => invite({ email: text('email'), name, role, groupIds }))
    return result.ok ? { ...result, value: { link: result.value.link, name } } : result
  }
  return (
    <FormDialog
      title="Invite a person"
      description="They set a password through a link. You send them the link; Toolgate sends no mail."
      button="Invite"
      failed="The person was not invited"
      send={send}
      onDone={({ link, name }) => onInvited(link, name)}
      onClose={onClose}
      changed={role !== 'member' || groupIds.length > 0}
    >
      {(wrong, id) => (
        <>
          <Field id={`${id}-name`} label="Name" error={wrong.name}>
            {(control) => <Input {...control} name="name" autoComplete="off" />}
          </Field>
          <Field id={`${id}-email`} label="E-mail" error={wrong.email}>
            {(control) => (
              <Input {...control} name="email" type="email" autoComplete="off" spellCheck={false} />
            )}
          </Field>
          <Field id={`${id}-role`} label="Role">
            {(control) => (
              <Select
                {...control}
                options={roles}
                value={role}
                onValueChange={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
              />
            )}
          </Field>
          {groups.length > 0 && (
            <GroupTicks groups={groups} picked={groupIds} onChange={setGroupIds} />
          )}
        </>
      )}
    </FormDialog>
  )
}
