import { Field } from '../ui/field'
import { Input } from '../ui/input'

type Props = { id: string; error: string | undefined }

/** An optional reason for a change. */
export function ReasonField({ id, error }: Props) {
  return (
    <Field id={id} label="Reason" optional hint="Stored in the audit." error={error}>
      {(control) => <Input {...control} name="reason" autoComplete="off" />}
    </Field>
  )
}
