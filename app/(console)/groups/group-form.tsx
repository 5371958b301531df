'use client'
import { type FormEvent, useId, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { ActionError, ActionResult } from '@/lib/action'

type Texts = { name: string; description: string }

/** Name and description of a group, new or not. */
export function GroupForm<T>({
  title,
  button,
  initial,
  send,
  onDone,
  onClose,
}: {
  title: string
  button: string
  initial: Texts
  send: (texts: Texts) => Promise<ActionResult<T>>
  onDone: (value: T) => void
  onClose: () => void
}) {
  const formId = useId()
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (field: string) => String(data.get(field) ?? '')
    setBusy(true)
    const result = await sendAction(() =>
      send({ name: text('name'), description: text('description') }),
    )
    setBusy(false)
    if (result.ok) return onDone(result.value)
    setError(result.error)
    form.querySelector<HTMLInputElement>('[name="name"]')?.focus()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" loading={busy}>
            {button}
          </Button>
        </>
      }
    >
      {error && !error.fields && (
        <ErrorNotice title="The group was not saved">{error.message}</ErrorNotice>
      )}
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-3">
        <Field id={`${formId}-name`} label="Name" error={error?.fields?.name}>
          {(control) => (
            <Input {...control} name="name" autoComplete="off" defaultValue={initial.name} />
          )}
        </Field>
        <Field
          id={`${formId}-description`}
          label="What it is for"
          optional
          error={error?.fields?.description}
        >
          {(control) => (
            <Textarea {...control} name="description" rows={3} defaultValue={initial.description} />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
