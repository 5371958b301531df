'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { groupShape } from '@/lib/domains/groups/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { addGroup } from './actions'

type Texts = { name: string; description: string }

/** Shows the form of a group, new or stored: its name and description. */
export function GroupForm<T>({
  title,
  button,
  initial: { name, description },
  onClose,
  ...options
}: {
  title: string
  button: string
  initial: Texts
  send: (texts: Texts) => Promise<ActionResult<T>>
  done: string
  /** Returns the address of the group's page; left out = this page stays open. */
  next?: (value: T) => string
  onClose: () => void
}) {
  const form = useActionForm({
    values: { name, description },
    onDone: options.next ? undefined : onClose,
    ...options,
  })
  return (
    <FormDialog
      form={form}
      title={title}
      button={button}
      failed="The group was not saved"
      onClose={onClose}
    >
      <FormField name="name" shape={groupShape.name} />
      <FormField name="description" shape={groupShape.description} controlClass="max-h-60" />
    </FormDialog>
  )
}

/** Adds a group and opens its page, where members and configurations are added. */
export function NewGroupButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add group
      </Button>
      {open && (
        <GroupForm
          title="Add group"
          button="Add group"
          initial={{ name: '', description: '' }}
          send={addGroup}
          done="Added the group"
          next={({ id }) => `/groups/${id}`}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
