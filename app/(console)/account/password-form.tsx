'use client'
import { useRouter } from 'next/navigation'
import { PasswordField } from '@/components/forms/password-field'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { changePassword } from './actions'

export function PasswordForm({ email }: { email: string }) {
  const router = useRouter()
  const toast = useToast()
  const { form, busy, error, fields } = useSubmit({
    send: (text) => changePassword({ current: text('current'), password: text('password') }),
    onDone: (_, sent) => {
      sent.reset()
      toast({ tone: 'ok', title: 'Your password is changed; other sessions are over' })
      router.refresh()
    },
  })
  return (
    <form {...form} className="flex max-w-120 flex-col gap-3">
      {error && !error.fields && (
        <ErrorNotice title="The password was not changed">{error.message}</ErrorNotice>
      )}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <Field id="current" label="Current password" error={fields.current}>
        {(control) => (
          <Input {...control} name="current" type="password" autoComplete="current-password" />
        )}
      </Field>
      <PasswordField label="New password" error={fields.password} />
      <Button type="submit" loading={busy} className="self-start">
        Change password
      </Button>
    </form>
  )
}
