import type { ActionResult } from '@/lib/next/action'
import type { FieldShape } from '@/lib/shape/field-shape'
import { FormDialog } from './form'
import { FormFields } from './form-field'
import { useActionForm } from './use-action-form'

type Names = 'name' | 'identifier'
type Props = {
  fields: Record<Names, FieldShape>
  /** The object that is cloned. */
  of: Record<Names, string>
  /** Tells what is copied and what is left out. */
  description: string
  send: (names: Record<Names, string>) => Promise<ActionResult<{ id: string }>>
  /** Returns the address of the copy. */
  next: (copy: { id: string }) => string
  onClose: () => void
}

/** Asks for the name and identifier of a clone, and opens its page. */
export function CloneDialog({ of: { name, identifier }, onClose, ...props }: Props) {
  const form = useActionForm({
    values: {
      name: `${name} (copy)`.slice(0, 100),
      identifier: `${identifier.slice(0, 55)}-copy`,
    },
    send: props.send,
    done: `Cloned ${name}`,
    onDone: onClose,
    next: props.next,
  })
  return (
    <FormDialog
      form={form}
      title={`Clone ${name}`}
      description={props.description}
      button="Clone"
      failed="Not cloned"
      onClose={onClose}
    >
      <FormFields fields={props.fields} />
    </FormDialog>
  )
}
