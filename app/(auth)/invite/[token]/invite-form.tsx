'use client'
import { type FormEvent, useState } from 'react'
import { PasswordField } from '@/components/forms/password-field'
import { actionError } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { openSession } from '../../open-session'
import { acceptLink, type LinkAnswer } from './actions'

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
  const [answer, setAnswer] = useState<Extract<LinkAnswer, { ok: false }> | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const password = String(new FormData(form).get('password') ?? '')
    setBusy(true)
    const given = await acceptLink(token, { password }).catch(notRun)
    if (given.ok) {
      const opening = await openSession(given.email, password)
      window.location.assign(opening.type === 'open' ? '/playground' : '/sign-in')
      return
    }
    setBusy(false)
    setAnswer(given)
    form.querySelector<HTMLInputElement>('[name=password]')?.focus()
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      {answer?.message && <ErrorNotice title={answer.message} />}
      {/* Password managers need the e-mail address, too. */}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordField
        label={invited ? 'Password' : 'New password'}
        error={answer?.fields.password}
      />
      <Button type="submit" variant="primary" loading={busy} className="w-full">
        {invited ? 'Create account' : 'Set password'}
      </Button>
    </form>
  )
}

function notRun(error: unknown): Extract<LinkAnswer, { ok: false }> {
  return { ok: false, message: actionError(error).message, fields: {} }
}
