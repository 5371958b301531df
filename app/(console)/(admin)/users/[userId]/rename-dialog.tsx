'use client'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { changeUser } from '../actions'

/** Shows a dialog for another name of an account; its e-mail address stays. */
export function RenameDialog({
  user,
  onClose,
}: {
  user: { id: string; name: string }
  onClose: () => void
}) {
  const form = useActionForm({
    values: { name: user.name },
    send: ({ name }) => changeUser({ userId: user.id, name }),
    done: 'Saved the name',
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Rename ${user.name}`}
      description="Other people see this name. It is not used to sign in."
      button="Rename"
      failed="The name was not saved"
      onClose={onClose}
    >
      <FormField name="name" shape={{ kind: 'text', label: 'Name' }} />
    </FormDialog>
  )
}
