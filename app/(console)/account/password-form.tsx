'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { PasswordField } from '@/components/forms/password-field'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import type { ActionError } from '@/lib/action'
import { changePassword } from './actions'

export function PasswordForm({ email }: { email: string }) {
  const router = useRouter()
  const toast = useToast()
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (field: string) => String(data.get(field) ?? '')
    setBusy(true)
    const result = await sendAction(() =>
      changePassword({ current: text('current'), password: text('password') }),
    )
    setBusy(false)
    if (result.ok) {
      setError(null)
      form.reset()
      toast({ tone: 'ok', title: 'Your password is changed; other sessions are over' })
      router.refresh()
      return
    }
    setError(result.error)
    const first = ['current', 'password'].find((field) => result.error.fields?.[field])
    if (first) form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="flex max-w-120 flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The password was not changed">{error.message}</ErrorNotice>
      )}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <Field id="current" label="Current password" error={error?.fields?.current}>
        {(control) => (
          <Input {...control} name="current" type="password" autoComplete="current-password" />
        )}
      </Field>
      <PasswordField label="New password" error={error?.fields?.password} />
      <Button type="submit" loading={busy} className="self-start">
        Change password
      </Button>
    </form>
  )
}
