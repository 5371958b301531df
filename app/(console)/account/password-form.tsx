'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { PasswordField } from '@/components/forms/password-field'
import { useSubmit } from '@/components/forms/use-submit'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useToast } from '@/components/ui/toast'
import { changePassword } from './actions'

export function PasswordForm({ email }: { email: string }) {
  const router = useRouter()
  const toast = useToast()
  const [endAccess, setEndAccess] = useState(true)
  const { form, busy, error, fields } = useSubmit({
    send: (text) =>
      changePassword({ current: text('current'), password: text('password'), endAccess }),
    onDone: ({ sessionsEnded, keysRevoked }, sent) => {
      sent.reset()
      setEndAccess(true)
      toast({
        tone: 'ok',
        title: 'Changed your password',
        description: endedWords(sessionsEnded, keysRevoked),
      })
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
      <label
        htmlFor="end-access"
        className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-10"
      >
        <Checkbox id="end-access" checked={endAccess} onCheckedChange={setEndAccess} />
        Also end my API keys and other sessions
      </label>
      <Button type="submit" loading={busy} className="self-start">
        Change password
      </Button>
    </form>
  )
}

function endedWords(sessions: number, keys: number): string {
  const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  return `Ended ${counted(sessions, 'other session')} and ${counted(keys, 'API key')}.`
}
