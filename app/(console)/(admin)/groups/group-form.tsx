'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { ActionResult } from '@/lib/kernel/action'

type Texts = { name: string; description: string }

/** Name and description of a group, new or not. */
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
  /** Where the page of the group is; left out = this page stays. */
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
      <FormField name="name" shape={{ kind: 'text', label: 'Name' }} />
      <FormField
        name="description"
        shape={{ kind: 'textarea', label: 'Purpose', optional: true, rows: 3 }}
        controlClass="max-h-60"
      />
    </FormDialog>
  )
}
