'use client'
import { useRouter } from 'next/navigation'
import { finishSession, openingResult } from '@/app/(auth)/open-session'
import { Form, FormFailure, SubmitButton } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import type { ActionError } from '@/lib/next/action'
import type { FieldShape } from '@/lib/shape/field-shape'
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

const withApp: FieldShape = {
  kind: 'text',
  label: 'Code',
  hint: '6 digits from your app, or a recovery code.',
  autoComplete: 'one-time-code',
  autoCapitalize: 'characters',
  mono: true,
}
const withoutApp: FieldShape = {
  ...withApp,
  label: 'Recovery code',
  hint: 'One that you saved.',
}

function CodeForm({ target, app }: { target: string; app: boolean }) {
  const form = useActionForm({
    values: { code: '' },
    send: async ({ code }) => {
      if (code.trim() === '') return refused('Enter a code.')
      const opening = await finishSession({ code: code.trim() })
      if (opening.type === 'second-factor') return refused('Start again with your password.')
      return openingResult(opening)
    },
    retry: 'code',
    leaves: true,
    isFleeting: true,
    onDone: () => window.location.assign(target),
  })
  return (
    <Form form={form} className="gap-4">
      <FormFailure />
      <FormField name="code" shape={app ? withApp : withoutApp} />
      <SubmitButton variant={app ? 'primary' : 'secondary'} className="w-full">
        Sign in
      </SubmitButton>
    </Form>
  )
}

function refused(message: string): { ok: false; error: ActionError } {
  return { ok: false, error: { code: 'refused', message } }
}
