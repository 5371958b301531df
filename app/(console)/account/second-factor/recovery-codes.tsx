'use client'
import { Download } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useUnsavedGuard } from '@/components/forms/may-leave'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { renewCodes } from './actions'

/** Replaces the recovery codes after one question, and shows the new ones once. */
export function NewCodesButton() {
  const router = useRouter()
  const [step, setStep] = useState<'closed' | 'asking' | { codes: string[] }>('closed')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const make = async () => {
    setBusy(true)
    const result = await sendAction(() => renewCodes({}))
    setBusy(false)
    if (result.ok) return setStep({ codes: result.value })
    setProblem(result.error.message)
  }
  const close = () => {
    setStep('closed')
    setProblem(null)
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
          title="New recovery codes"
          description="Your current codes stop working."
          footer={
            <>
              <DialogClose asChild>
                <Button>Cancel</Button>
              </DialogClose>
              <Button variant="danger" loading={busy} onClick={make}>
                Create codes
              </Button>
            </>
          }
        >
          {problem && <ErrorNotice title="Not created">{problem}</ErrorNotice>}
        </Dialog>
      )}
      {typeof step === 'object' && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
    </>
  )
}

/** Shows recovery codes, which cannot be shown again. Only the button closes it, so nobody closes it by accident. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[]
  onClose: () => void
}) {
  useUnsavedGuard(true)
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog
      open
      stays
      onOpenChange={(open) => !open && onClose()}
      title="Save your recovery codes"
      description="Each signs you in once, with your password. They are not shown again."
      footer={
        <>
          <Button asChild>
            <a
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download="toolgate-recovery-codes.txt"
            >
              <Download className="size-4" aria-hidden />
              Download
            </a>
          </Button>
          <DialogClose asChild>
            <Button variant="primary">I saved them</Button>
          </DialogClose>
        </>
      }
    >
      <div className="flex items-start gap-1">
        <ol
          aria-label="Recovery codes"
          className="grid flex-1 grid-cols-1 gap-x-6 gap-y-1 rounded-md border bg-surface-2 p-3 font-mono text-mono sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
        <CopyButton text={text} what="recovery codes" />
      </div>
    </Dialog>
  )
}
