'use client'
import { acceptLink } from '@/app/(auth)/link-actions'
import { openSession } from '@/app/(auth)/open-session'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { PasswordField } from '@/components/forms/password-field'
import { useActionForm } from '@/components/forms/use-action-form'

/** Sets the password and signs in with it. */
export function InviteForm({
  token,
  email,
  invited,
}: {
  token: string
  email: string
  invited: boolean
}) {
  const form = useActionForm({
    values: { password: '' },
    send: (typed) => acceptLink(token, typed),
    leaves: true,
    isFleeting: true,
    onDone: async (account, { password }) => {
      const opening = await openSession(account.email, password)
      window.location.assign(opening.type === 'open' ? '/overview' : '/sign-in')
    },
  })
  return (
    <Form form={form} className="gap-4">
      <FormFailure />
      {/* Password managers need the e-mail address, too. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordField label={invited ? 'Password' : 'New password'} />
      <SubmitButton className="w-full">{invited ? 'Create account' : 'Set password'}</SubmitButton>
    </Form>
  )
}
