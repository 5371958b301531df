'use client'
import { FormDialog } from '@/components/forms/form'
import { FormFields, useFieldState } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { OneTimeLink } from '@/lib/domains/users/schemas'
import type { FieldShape } from '@/lib/protocol/field-shape'
import type { Role } from '@/lib/protocol/tool'
import { invite } from '../actions'
import { type GroupChoice, GroupTicks } from './group-ticks'

const fields: Record<string, FieldShape> = {
  name: { kind: 'text', label: 'Name' },
  email: { kind: 'text', type: 'email', label: 'E-mail' },
  role: {
    kind: 'select',
    label: 'Role',
    choices: [
      { value: 'member', label: 'Member', hint: 'May use the configurations of their groups' },
      { value: 'admin', label: 'Admin', hint: 'May do everything' },
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
      title="Invite a person"
      description="They set a password through a link. You send them the link; Toolgate sends no mail."
      button="Invite"
      failed="The person was not invited"
      onClose={onClose}
    >
      <FormFields fields={fields} />
      {groups.length > 0 && <GroupsField groups={groups} />}
    </FormDialog>
  )
}

function GroupsField({ groups }: { groups: GroupChoice[] }) {
  const { value, onChange } = useFieldState<string[]>('groupIds')
  return <GroupTicks groups={groups} picked={value} onChange={onChange} />
}
