'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useRef, useState } from 'react'
import { sendAction } from '@/components/forms/send-action'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { finishSession } from '../open-session'
import { startAgain } from './actions'
import { PasskeyButton } from './passkey-button'

/** Asks for the second factor: a passkey, a code of an app, or a recovery code. */
export function SecondStep({
  target,
  ways,
}: {
  target: string
  ways: { app: boolean; passkey: boolean }
}) {
  const router = useRouter()
  const again = async () => {
    await sendAction(startAgain)
    router.refresh()
  }
  return (
    <div className="flex flex-col gap-4">
      {ways.passkey && <PasskeyButton target={target} secondStep />}
      <CodeForm target={target} app={ways.app} />
      <Button variant="ghost" className="self-start" onClick={again}>
        Use another account
      </Button>
    </div>
  )
}

const words = {
  app: {
    label: 'Code',
    hint: 'The 6 digits from your authenticator app. Lost it? Enter one of your recovery codes.',
  },
  none: {
    label: 'Recovery code',
    hint: 'Lost your passkey? Enter one of the recovery codes you saved.',
  },
}

function CodeForm({ target, app }: { target: string; app: boolean }) {
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { label, hint } = app ? words.app : words.none
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = field.current?.value.trim() ?? ''
    if (code === '') return refuse('Enter a code.')
    setBusy(true)
    const opening = await finishSession({ code })
    if (opening.type === 'open') return window.location.assign(target)
    refuse(opening.type === 'refused' ? opening.why : 'Start again with your password.')
  }
  const refuse = (why: string) => {
    setBusy(false)
    setError(why)
    field.current?.select()
  }
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      {error && <ErrorNotice title={error} />}
      <Field id="code" label={label} hint={hint}>
        {(control) => (
          <Input
            {...control}
            ref={field}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <Button
        type="submit"
        variant={app ? 'primary' : 'secondary'}
        loading={busy}
        className="w-full"
      >
        Sign in
      </Button>
    </form>
  )
}
