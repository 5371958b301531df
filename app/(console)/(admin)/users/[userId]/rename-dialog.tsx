'use client'
import { useRouter } from 'next/navigation'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { changeUser } from '../actions'

/** Another name for an account; its e-mail address stays. */
export function RenameDialog({
  user,
  onClose,
}: {
  user: { id: string; name: string }
  onClose: () => void
}) {
  const router = useRouter()
  const toast = useToast()
  const done = () => {
    toast({ tone: 'ok', title: 'Saved the name' })
    onClose()
    router.refresh()
  }
  return (
    <FormDialog
      title={`Rename ${user.name}`}
      description="Other people see this name. It is not used to sign in."
      button="Rename"
      failed="The name was not saved"
      send={(text) => changeUser({ userId: user.id, name: text('name') })}
      onDone={done}
      onClose={onClose}
    >
      {(wrong, id) => (
        <Field id={`${id}-name`} label="Name" error={wrong.name}>
          {(control) => (
            <Input {...control} name="name" autoComplete="off" defaultValue={user.name} />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
