'use client'
import { Fingerprint, Smartphone } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { forgetUnsaved } from '@/components/forms/may-leave'
import { Button } from '@/components/ui/button'
import { useToast } from '@/components/ui/toast'
import type { EnrolledFactor } from '@/lib/auth/second-factor'
import { AddAppDialog } from './add-app-dialog'
import { AddPasskeyDialog } from './add-passkey-dialog'
import { RecoveryCodesDialog } from './recovery-codes-dialog'

type Step = 'closed' | 'passkey' | 'app' | { codes: string[] }

/**
 * Shows the two buttons that add a second factor. Recovery codes are shown after the first one. `noPasskeys` says why
 * there is no button for passkeys; without `goTo` the page is refreshed.
 */
export function AddFactor({ noPasskeys, goTo }: { noPasskeys: string | null; goTo?: string }) {
  const router = useRouter()
  const toast = useToast()
  const [step, setStep] = useState<Step>('closed')
  const close = () => setStep('closed')
  const finish = () => {
    close()
    if (goTo === undefined) router.refresh()
    else {
      forgetUnsaved()
      // A full page load, which drops everything that was rendered before the factor was added.
      window.location.assign(goTo)
    }
  }
  const added = ({ recoveryCodes }: EnrolledFactor) => {
    toast({ tone: 'ok', title: 'Set up your second factor' })
    if (recoveryCodes) setStep({ codes: recoveryCodes })
    else finish()
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {noPasskeys === null && (
          <Button onClick={() => setStep('passkey')}>
            <Fingerprint className="size-4" aria-hidden />
            Add a passkey
          </Button>
        )}
        <Button onClick={() => setStep('app')}>
          <Smartphone className="size-4" aria-hidden />
          Add an authenticator app
        </Button>
      </div>
      {noPasskeys !== null && (
        <p className="text-muted text-sm">Passkeys cannot be used here. {noPasskeys}</p>
      )}
      {step === 'passkey' && <AddPasskeyDialog onAdded={added} onClose={close} />}
      {step === 'app' && <AddAppDialog onAdded={added} onClose={close} />}
      {typeof step === 'object' && <RecoveryCodesDialog codes={step.codes} onClose={finish} />}
    </>
  )
}
