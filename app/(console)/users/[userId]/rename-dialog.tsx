'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useId, useRef, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
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
  const formId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = field.current?.value.trim() ?? ''
    setBusy(true)
    const result = await sendAction(() => changeUser({ userId: user.id, name }))
    setBusy(false)
    if (!result.ok) {
      setError(result.error.fields?.name ?? result.error.message)
      field.current?.focus()
      return
    }
    toast({ tone: 'ok', title: `The name is now ${name}` })
    onClose()
    router.refresh()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rename ${user.name}`}
      description="Others see this name; it signs nobody in."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            Rename
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field id={`${formId}-name`} label="Name" error={error}>
          {(control) => (
            <Input {...control} ref={field} autoComplete="off" defaultValue={user.name} />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
