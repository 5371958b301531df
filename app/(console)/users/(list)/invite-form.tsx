'use client'
import { type FormEvent, useId, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { ActionError } from '@/lib/action'
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
  const formId = useId()
  const [role, setRole] = useState<Role>('member')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const name = String(data.get('name') ?? '').trim()
    const email = String(data.get('email') ?? '')
    setBusy(true)
    const result = await sendAction(() => invite({ email, name, role, groupIds }))
    setBusy(false)
    if (result.ok) return onInvited(result.value.link, name)
    setError(result.error)
    const first = ['name', 'email'].find((field) => result.error.fields?.[field])
    if (first) form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Invite a person"
      description="They set a password through a link that you send them. Toolgate sends no mail."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Invite
          </Button>
        </>
      }
    >
      {error && !error.fields && (
        <ErrorNotice title="Nobody was invited">{error.message}</ErrorNotice>
      )}
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field id={`${formId}-name`} label="Name" error={error?.fields?.name}>
          {(control) => <Input {...control} name="name" autoComplete="off" />}
        </Field>
        <Field id={`${formId}-email`} label="E-mail" error={error?.fields?.email}>
          {(control) => (
            <Input {...control} name="email" type="email" autoComplete="off" spellCheck={false} />
          )}
        </Field>
        <Field id={`${formId}-role`} label="Role">
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
      </form>
    </Dialog>
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
