'use client'
import { createFirstAdmin } from '@/app/(auth)/link-actions'
import { openSession } from '@/app/(auth)/open-session'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { PasswordField } from '@/components/forms/password-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'

const fields: Record<string, FieldShape> = {
  name: { kind: 'text', label: 'Name', autoComplete: 'name' },
  email: {
    kind: 'text',
    type: 'email',
    label: 'E-mail',
    hint: 'You sign in with it. Toolgate sends no mail to it.',
    autoComplete: 'username',
  },
}

export function SetupForm({ token }: { token: string }) {
  const form = useActionForm({
    values: { name: '', email: '', password: '' },
    send: (admin) => createFirstAdmin(token, admin),
    leaves: true,
    isFleeting: true,
    onDone: async (_, { email, password }) => {
      const opening = await openSession(email, password)
      window.location.assign(opening.type === 'open' ? '/overview' : '/sign-in')
    },
  })
  return (
    <Form form={form} className="gap-4">
      <FormFailure />
      <FormFields fields={fields} />
      <PasswordField label="Password" />
      <SubmitButton className="w-full">Create admin</SubmitButton>
    </Form>
  )
}
