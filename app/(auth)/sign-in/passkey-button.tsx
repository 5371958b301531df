'use client'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { finishSession, openSessionWithPasskey } from '@/app/(auth)/open-session'
import { askForPasskey } from '@/components/forms/ask-for-passkey'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { passkeyAsSecondFactor, passkeyToSignIn } from './actions'

/** Signs in with a passkey: alone, or after the password where `secondStep`. */
export function PasskeyButton({
  target,
  secondStep = false,
}: {
  target: string
  secondStep?: boolean
}) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const press = async () => {
    setBusy(true)
    setProblem(null)
    const request = await askForPasskey(secondStep ? passkeyAsSecondFactor : passkeyToSignIn)
    if (!request.ok) return refuse(request.error.message)
    const passkey = JSON.stringify(request.value)
    const opening = await (secondStep
      ? finishSession({ passkey })
      : openSessionWithPasskey(passkey))
    if (opening.type === 'open') return window.location.assign(target)
    refuse(opening.type === 'refused' ? opening.why : 'Sign in with your password.')
  }
  const refuse = (why: string) => {
    setBusy(false)
    setProblem(why)
  }
  return (
    <>
      {problem && <ErrorNotice title="The passkey did not work">{problem}</ErrorNotice>}
      <Button
        variant={secondStep ? 'primary' : 'secondary'}
        loading={busy}
        onClick={press}
        className="w-full"
      >
        {!busy && <Fingerprint className="size-4" aria-hidden />}
        {secondStep ? 'Use a passkey' : 'Sign in with a passkey'}
      </Button>
    </>
  )
}
