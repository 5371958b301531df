'use client'
import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { NewKeyForm } from './new-key-form'

/** Asks what a key is for, then shows it once. */
export function NewKeyButton({ admin }: { admin: boolean }) {
  const [step, setStep] = useState<'closed' | 'asking' | { token: string }>('closed')
  const router = useRouter()
  const close = () => {
    setStep('closed')
    router.refresh()
  }
  return (
    <>
      <Button size="sm" onClick={() => setStep('asking')}>
        <Plus className="size-4" aria-hidden />
        New key
      </Button>
      {step === 'asking' && (
        <NewKeyForm
          admin={admin}
          onMade={(token) => setStep({ token })}
          onClose={() => setStep('closed')}
        />
      )}
      {typeof step === 'object' && (
        <Dialog
          open
          onOpenChange={(open) => !open && close()}
          title="Your new API key"
          description="Copy it now: it is shown only this once and stored only as a hash."
          footer={
            <DialogClose asChild>
              <Button variant="primary">Done</Button>
            </DialogClose>
          }
        >
          <div className="flex items-center gap-1">
            <Input
              readOnly
              aria-label="API key"
              className="font-mono text-mono"
              value={step.token}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton text={step.token} what="key" />
          </div>
        </Dialog>
      )}
    </>
  )
}
