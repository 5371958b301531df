'use client'
import { Form, FormButtons, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { PasswordField } from '@/components/forms/password-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { changePassword, rename } from './actions'

export function NameForm({ name }: { name: string }) {
  const form = useActionForm({ values: { name }, send: rename, done: 'Name saved' })
  return (
    <Form form={form} className="max-w-120">
      <FormFailure title="Your name was not saved" />
      <div className="flex items-start gap-2">
        <FormField
          name="name"
          shape={{ kind: 'text', label: 'Name', autoComplete: 'name' }}
          className="flex-1"
        />
        <SubmitButton variant="secondary" className="mt-6">
          Save
        </SubmitButton>
      </div>
    </Form>
  )
}

const fresh = { current: '', password: '', endAccess: true }

export function PasswordForm({ email }: { email: string }) {
  const form = useActionForm({
    values: fresh,
    send: changePassword,
    saved: () => fresh,
    done: 'Password changed',
    details: ({ sessionsEnded, keysRevoked }) => endedWords(sessionsEnded, keysRevoked),
  })
  return (
    <Form form={form} className="max-w-120">
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <FormField
        name="current"
        shape={{
          kind: 'text',
          type: 'password',
          label: 'Current password',
          autoComplete: 'current-password',
        }}
      />
      <PasswordField label="New password" />
      <FormField
        name="endAccess"
        shape={{
          kind: 'checkbox',
          label: 'Also end my API keys and other sessions',
          hint: 'Programs then need new keys. You stay signed in here.',
        }}
      />
      <FormButtons button="Change password" variant="secondary" />
    </Form>
  )
}

function endedWords(sessions: number, keys: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  return `Ended ${counted(sessions, 'other session')} and ${counted(keys, 'API key')}.`
}
