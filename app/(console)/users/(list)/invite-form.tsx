'use client'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { VisibleText } from '@/components/trace/visible-text'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { Role } from '@/lib/protocol/tool'
import type { OneTimeLink } from '@/lib/users/schemas'
import { invite } from '../actions'

export type GroupChoice = { id: string; name: string }

const roles = [
  { value: 'member', label: 'Member', hint: 'Runs what their groups may use' },
  { value: 'admin', label: 'Admin', hint: 'May do everything here' },
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
  const [role, setRole] = useState<Role>('member')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const send = async (text: (field: string) => string) => {
    const name = text('name').trim()
    const result = await invite({ email: text('email'), name, role, groupIds })
    return result.ok ? { ...result, value: { link: result.value.link, name } } : result
  }
  return (
    <FormDialog
      title="Invite a person"
      description="They set a password through a link that you send them. Toolgate sends no mail."
      button="Invite"
      failed="Nobody was invited"
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
          {groups.length > 0 && <Groups groups={groups} picked={groupIds} onChange={setGroupIds} />}
        </>
      )}
    </FormDialog>
  )
}

function Groups({
  groups,
  picked,
  onChange,
}: {
  groups: GroupChoice[]
  picked: string[]
  onChange: (ids: string[]) => void
}) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-strong">
        Groups <span className="font-normal text-muted">(optional)</span>
      </legend>
      <ul className="max-h-40 overflow-y-auto rounded-md border p-1">
        {groups.map(({ id, name }) => (
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
