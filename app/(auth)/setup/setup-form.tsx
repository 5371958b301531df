'use client'
import { type FormEvent, useState } from 'react'
import { PasswordField } from '@/components/forms/password-field'
import { actionError } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { openSession } from '../open-session'
import { createFirstAdmin, type SetupAnswer } from './actions'

type Errors = Record<string, string>
const fieldOrder = ['name', 'email', 'password']

export function SetupForm({ token }: { token: string }) {
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    const input = { name: text('name'), email: text('email'), password: text('password') }
    setBusy(true)
    setProblem(null)
    const answer = await createFirstAdmin(token, input).catch(notRun)
    if (answer.ok) {
      const opening = await openSession(input.email, input.password)
      window.location.assign(opening.type === 'open' ? '/playground' : '/sign-in')
      return
    }
    setBusy(false)
    setErrors(answer.fields)
    setProblem(answer.message || null)
    const first = fieldOrder.find((name) => answer.fields[name])
    if (first) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      {problem && <ErrorNotice title={problem} />}
      <Field id="name" label="Name" error={errors.name}>
        {(control) => <Input {...control} name="name" autoComplete="name" />}
      </Field>
      <Field
        id="email"
        label="E-mail"
        hint="You sign in with it. Toolgate sends no mail to it."
        error={errors.email}
      >
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
      <PasswordField label="Password" error={errors.password} />
      <Button type="submit" variant="primary" loading={busy} className="w-full">
        Create admin
      </Button>
    </form>
  )
}

function notRun(error: unknown): SetupAnswer {
  return { ok: false, message: actionError(error).message, fields: {} }
}
