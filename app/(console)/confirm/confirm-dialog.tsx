'use client'
import type { WaysToConfirm } from '@toolgate/server/auth/confirm-identity'
import { Fingerprint, LogIn } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { askForPasskey } from '@/components/forms/ask-for-passkey'
import { Form, FormFailure } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { RelativeTime } from '@/components/ui/relative-time'
import type { FieldShape } from '@/lib/shape/field-shape'
import { confirm, passkeyToConfirm, readWaysToConfirm } from './actions'

/**
 * Asks for the password, a passkey, or a new sign-in at the identity provider; `onDone` gets whether the identity was
 * confirmed.
 */
export function ConfirmDialog({
  onDone,
  onClose,
}: {
  onDone: (confirmed: boolean) => void
  onClose: () => void
}) {
  const id = useId()
  const { ways, problem } = useWays()
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Confirm that it is you"
      description="You signed in over 15 minutes ago."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          {ways?.password && (
            <Button type="submit" form={id} variant="primary">
              Confirm
            </Button>
          )}
        </>
      }
    >
      {problem && <ErrorNotice title="Not possible now">{problem}</ErrorNotice>}
      {ways?.passkey && <WithPasskey onDone={onDone} />}
      {ways?.password && <WithPassword formId={id} onDone={onDone} />}
      {ways?.provider && <AtProvider name={ways.provider} remembered={ways.remembered} />}
    </Dialog>
  )
}

/** Asks the server once how this person can confirm their identity. External system: the server. */
function useWays(): { ways: WaysToConfirm | null; problem: string | null } {
  const [ways, setWays] = useState<WaysToConfirm | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    void sendAction(() => readWaysToConfirm(null)).then((result) => {
      if (!wanted) return
      if (result.ok) setWays(result.value)
      else setProblem(result.error.message)
    })
    return () => {
      wanted = false
    }
  }, [])
  return { ways, problem }
}

function WithPassword({
  formId: id,
  onDone,
}: {
  formId: string
  onDone: (confirmed: boolean) => void
}) {
  const form = useActionForm({
    id,
    values: { password: '' },
    send: ({ password }) => confirm({ by: 'password', password }),
    onDone: () => onDone(true),
  })
  return (
    <Form form={form}>
      <FormFailure title="Not confirmed" />
      <FormField name="password" shape={password} autoFocus />
    </Form>
  )
}

const password: FieldShape = {
  kind: 'text',
  type: 'password',
  label: 'Your password',
  autoComplete: 'current-password',
}

function WithPasskey({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const press = async () => {
    setBusy(true)
    const request = await askForPasskey(() => passkeyToConfirm(null))
    const result = request.ok
      ? await sendAction(() => confirm({ by: 'passkey', answer: request.value }))
      : request
    setBusy(false)
    if (result.ok) onDone(true)
    else setProblem(result.error.message)
  }
  return (
    <>
      {problem && <ErrorNotice title="Not confirmed">{problem}</ErrorNotice>}
      <Button loading={busy} onClick={press}>
        {!busy && <Fingerprint className="size-4" aria-hidden />}
        Use a passkey
      </Button>
    </>
  )
}

/** Leaves for the identity provider, which asks people to sign in again and sends them back here. */
function AtProvider({ name, remembered }: { name: string; remembered: string | undefined }) {
  const leave = async () => {
    const { signIn } = await import('next-auth/react')
    const callbackUrl = window.location.pathname + window.location.search
    return signIn('oidc', { callbackUrl }, { prompt: 'login', max_age: '0' })
  }
  return (
    <>
      {remembered !== undefined && (
        <ErrorNotice title={`${name} did not ask again`}>
          It reported a sign-in of <RelativeTime at={remembered} />. Sign out there first, or ask an
          admin.
        </ErrorNotice>
      )}
      <p>Sign in again, then repeat this step.</p>
      <Button variant="primary" className="self-start" onClick={leave}>
        <LogIn className="size-4" aria-hidden />
        Sign in with {name}
      </Button>
    </>
  )
}
