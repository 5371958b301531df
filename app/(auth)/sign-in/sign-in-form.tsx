'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { openSession } from '../open-session'

type Errors = { email?: string; password?: string; form?: string }

export function SignInForm({ target }: { target: string }) {
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const router = useRouter()
  const passwordRef = useRef<HTMLInputElement>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const email = String(data.get('email') ?? '').trim()
    const password = String(data.get('password') ?? '')
    const missing = findMissing(email, password)
    setErrors(missing)
    if (missing.email || missing.password) {
      form.querySelector<HTMLInputElement>(missing.email ? '#email' : '#password')?.focus()
      return
    }
    setBusy(true)
    const opening = await openSession(email, password)
    if (opening.type === 'open') {
      // A full page load, which drops everything that was rendered before the sign-in.
      window.location.assign(target)
      return
    }
    if (opening.type === 'second-factor') {
      // The server stored this sign-in and renders the form for the second factor.
      router.refresh()
      return
    }
    setBusy(false)
    setErrors({ form: opening.why })
    passwordRef.current?.select()
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      {errors.form && <ErrorNotice title={errors.form} />}
      <Field id="email" label="E-mail" error={errors.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="username"
            spellCheck={false}
          />
        )}
      </Field>
      <Field id="password" label="Password" error={errors.password}>
        {(control) => (
          <Input
            {...control}
            ref={passwordRef}
            name="password"
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" loading={busy} className="w-full">
        Sign in
      </Button>
    </form>
  )
}

function findMissing(email: string, password: string): Errors {
  return {
    email: email ? undefined : 'Enter your e-mail address.',
    password: password ? undefined : 'Enter your password.',
  }
}
