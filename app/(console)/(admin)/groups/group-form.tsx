'use client'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { ActionResult } from '@/lib/kernel/action'

type Texts = { name: string; description: string }

/** Name and description of a group, new or not. */
export function GroupForm<T>({
  initial,
  send,
  ...dialog
}: {
  title: string
  button: string
  initial: Texts
  send: (texts: Texts) => Promise<ActionResult<T>>
  onDone: (value: T) => void
  onClose: () => void
}) {
  return (
    <FormDialog
      failed="The group was not saved"
      send={(text) => send({ name: text('name'), description: text('description') })}
      {...dialog}
    >
      {(wrong, id) => (
        <>
          <Field id={`${id}-name`} label="Name" error={wrong.name}>
            {(control) => (
              <Input {...control} name="name" autoComplete="off" defaultValue={initial.name} />
            )}
          </Field>
          <Field id={`${id}-description`} label="Purpose" optional error={wrong.description}>
            {(control) => (
              <Textarea
                {...control}
                name="description"
                rows={3}
                className="max-h-60"
                defaultValue={initial.description}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
