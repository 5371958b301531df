'use client'
import { makePasskey } from '@/components/forms/ask-for-passkey'
import { FormDialog } from '@/components/forms/form-dialog'
import { useConfirmed } from '@/components/forms/use-confirmed'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { EnrolledFactor } from '@/lib/auth/second-factor'
import { beginPasskey, finishPasskey } from './actions'

/** Asks for a name, then the browser for a passkey. */
export function AddPasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: (factor: EnrolledFactor) => void
  onClose: () => void
}) {
  const confirmed = useConfirmed()
  const send = async (name: string) => {
    const made = await makePasskey(() => confirmed(() => beginPasskey(null)))
    return made.ok ? confirmed(() => finishPasskey({ name, answer: made.value })) : made
  }
  return (
    <FormDialog
      title="Add a passkey"
      description="A passkey is stored on this device, a phone, a security key or in a password manager. It signs you in without a password, with your fingerprint, face or PIN."
      button="Continue"
      failed="The passkey was not added"
      send={(text) => send(text('name'))}
      onDone={onAdded}
      onClose={onClose}
    >
      {(wrong, id) => (
        <Field
          id={`${id}-name`}
          label="Name"
          hint="To recognise it later, such as “Work laptop”."
          error={wrong.name}
        >
          {(control) => (
            <Input {...control} name="name" autoComplete="off" defaultValue="Passkey" />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
