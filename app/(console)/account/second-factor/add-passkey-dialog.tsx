'use client'
import { createPasskey } from '@/components/forms/ask-for-passkey'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useConfirmed } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
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
  const form = useActionForm({
    values: { name: 'Passkey' },
    send: async ({ name }) => {
      const made = await createPasskey(() => confirmed(() => beginPasskey(null)))
      return made.ok ? confirmed(() => finishPasskey({ name, answer: made.value })) : made
    },
    onDone: onAdded,
  })
  return (
    <FormDialog
      form={form}
      title="Add a passkey"
      description="A passkey is stored on this device, a phone, a security key or in a password manager. It signs you in without a password, with your fingerprint, face or PIN."
      button="Continue"
      failed="The passkey was not added"
      onClose={onClose}
    >
      <FormField
        name="name"
        shape={{
          kind: 'text',
          label: 'Name',
          hint: 'To recognise it later, such as “Work laptop”.',
        }}
      />
    </FormDialog>
  )
}
