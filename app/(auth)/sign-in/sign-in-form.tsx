'use client'
import { useRouter } from 'next/navigation'
import { openingResult, openSession } from '@/app/(auth)/open-session'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'

const fields: Record<string, FieldShape> = {
  email: {
    kind: 'text',
    type: 'email',
    label: 'E-mail',
    autoComplete: 'username',
    required: 'Enter your e-mail address.',
  },
  password: {
    kind: 'text',
    type: 'password',
    label: 'Password',
    autoComplete: 'current-password',
    required: 'Enter your password.',
  },
}

export function SignInForm({ target }: { target: string }) {
  const router = useRouter()
  const form = useActionForm({
    values: { email: '', password: '' },
    send: async ({ email, password }) => openingResult(await openSession(email.trim(), password)),
    retry: 'password',
    leaves: true,
    isFleeting: true,
    onDone: (opening) => {
      // A full page load, which drops everything that was rendered before the sign-in.
      if (opening === 'open') window.location.assign(target)
      // The server stored this sign-in and renders the form for the second factor.
      else router.refresh()
    },
  })
  return (
    <Form form={form} className="gap-4">
      <FormFailure />
      <FormFields fields={fields} />
      <SubmitButton className="w-full">Sign in</SubmitButton>
    </Form>
  )
}
