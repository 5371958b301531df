'use client'
import { Form, FormButtons } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { beginBackup } from '../actions'

const empty = { passphrase: '' }

/** Begins a backup, with the vault key in it where a passphrase is typed. */
export function BackupForm() {
  const form = useActionForm({
    values: empty,
    send: ({ passphrase }) => beginBackup({ passphrase: passphrase === '' ? null : passphrase }),
    saved: () => empty,
    done: 'The backup is being written',
    details: () => 'You may leave this page.',
  })
  return (
    <Form form={form} className="max-w-160" label="Back up now">
      <FormField
        name="passphrase"
        controlClass="max-w-96"
        shape={{
          kind: 'text',
          type: 'password',
          label: 'Passphrase for the vault key',
          optional: true,
          autoComplete: 'new-password',
          hint: 'At least 12 characters. If empty, restored secrets need your own key.',
        }}
      />
      <FormButtons button="Back up now" failed="No backup was begun" />
    </Form>
  )
}
