'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { sendAction, useConfirmed } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { renewCodes } from './actions'
import { RecoveryCodesDialog } from './recovery-codes-dialog'

/** Replaces the recovery codes after one question, and shows the new ones once. */
export function NewCodesButton() {
  const router = useRouter()
  const confirmed = useConfirmed()
  const [step, setStep] = useState<'closed' | 'asking' | { codes: string[] }>('closed')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const make = async () => {
    setBusy(true)
    const result = await confirmed(() => sendAction(() => renewCodes({})))
    setBusy(false)
    if (result.ok) return setStep({ codes: result.value })
    setTrouble(result.error.message)
  }
  const close = () => {
    setStep('closed')
    setTrouble(null)
    router.refresh()
  }
  return (
    <>
      <Button size="sm" onClick={() => setStep('asking')}>
        New recovery codes
      </Button>
      {step === 'asking' && (
        <Dialog
          open
          onOpenChange={(open) => !open && close()}
          title="Create new recovery codes"
          description="Your current codes stop working."
          footer={
            <>
              <DialogClose asChild>
                <Button>Cancel</Button>
              </DialogClose>
              <Button variant="danger" loading={busy} onClick={make}>
                Create new recovery codes
              </Button>
            </>
          }
        >
          {trouble && <ErrorNotice title="No codes were created">{trouble}</ErrorNotice>}
        </Dialog>
      )}
      {typeof step === 'object' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
    </>
  )
}
