'use client'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useConfirmed } from '@/components/forms/use-act'
import { ShownOnceDialog } from '@/components/people/shown-once-dialog'
import { Button } from '@/components/ui/button'
import { makeKey } from './actions'
import { NewKeyForm } from './new-key-form'

/** Asks what a key is for, then shows it once. */
export function NewKeyButton({ admin }: { admin: boolean }) {
  const [step, setStep] = useState<'closed' | 'asking' | { token: string }>('closed')
  const router = useRouter()
  const confirmed = useConfirmed()
  const close = () => {
    setStep('closed')
    router.refresh()
  }
  return (
    <>
      <Button size="sm" onClick={() => setStep('asking')}>
        <Plus className="size-4" aria-hidden />
        Add API key
      </Button>
      {step === 'asking' && (
        <NewKeyForm
          admin={admin}
          send={(key) => confirmed(() => makeKey(key))}
          onMade={(token) => setStep({ token })}
          onClose={() => setStep('closed')}
        />
      )}
      {typeof step === 'object' && (
        <ShownOnceDialog
          title="Your new API key"
          label="API key"
          text={step.token}
          what="key"
          onClose={close}
        >
          Copy it now. It is shown only once; Toolgate stores only a hash of it.
        </ShownOnceDialog>
      )}
    </>
  )
}
