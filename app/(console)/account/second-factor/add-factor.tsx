'use client'
import type { EnrolledFactor } from '@toolgate/server/auth/factors/second-factor'
import type { TotpEnrolment } from '@toolgate/server/auth/factors/totp'
import { Fingerprint, Smartphone } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { createPasskey } from '@/components/forms/ask-for-passkey'
import { FormDialog } from '@/components/forms/form'
import { FormField, FormFields } from '@/components/forms/form-field'
import { forgetUnsaved } from '@/components/forms/may-leave'
import { sendAction } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { useToast } from '@/components/ui/toast'
import type { FieldShape } from '@/lib/shape/field-shape'
import { beginApp, beginPasskey, finishApp, finishPasskey } from './actions'
import { RecoveryCodesDialog } from './recovery-codes'

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
    toast({ tone: 'ok', title: 'Second factor added' })
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
      {noPasskeys !== null && <p className="text-muted text-sm">No passkeys here: {noPasskeys}</p>}
      {step === 'passkey' && <AddPasskeyDialog onAdded={added} onClose={close} />}
      {step === 'app' && <AddAppDialog onAdded={added} onClose={close} />}
      {typeof step === 'object' && <RecoveryCodesDialog codes={step.codes} onClose={finish} />}
    </>
  )
}

/** Asks for a name, then the browser for a passkey. */
function AddPasskeyDialog({
  onAdded,
  onClose,
}: {
  onAdded: (factor: EnrolledFactor) => void
  onClose: () => void
}) {
  const form = useActionForm({
    values: { name: 'Passkey' },
    send: async ({ name }) => {
      const made = await createPasskey(() => beginPasskey(null))
      return made.ok ? finishPasskey({ name, answer: made.value }) : made
    },
    onDone: onAdded,
  })
  return (
    <FormDialog form={form} title="Add a passkey" button="Continue" onClose={onClose}>
      <FormField
        name="name"
        shape={{
          kind: 'text',
          label: 'Name',
          placeholder: 'Work laptop',
        }}
      />
    </FormDialog>
  )
}

type Begun = TotpEnrolment | { problem: string } | null

/** Shows a new secret, as a picture and as text, and asks for the app's first code. */
function AddAppDialog({
  onAdded,
  onClose,
}: {
  onAdded: (factor: EnrolledFactor) => void
  onClose: () => void
}) {
  const [begun, setBegun] = useState<Begun>(null)
  // External system: the server makes the secret. Asked once for each time the dialog is opened.
  useEffect(() => {
    let wanted = true
    void sendAction(() => beginApp({})).then((result) => {
      if (wanted) setBegun(result.ok ? result.value : { problem: result.error.message })
    })
    return () => {
      wanted = false
    }
  }, [])
  if (begun === null) return null
  if ('problem' in begun) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
        <ErrorNotice title="Not added">{begun.problem}</ErrorNotice>
      </Dialog>
    )
  }
  return <FirstCode enrolment={begun} onAdded={onAdded} onClose={onClose} />
}

const fields: Record<string, FieldShape> = {
  code: {
    kind: 'text',
    label: 'Code',
    hint: '6 digits from the app.',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    mono: true,
  },
  name: { kind: 'text', label: 'Name' },
}

function FirstCode({
  enrolment: { appId, secret, picture },
  onAdded,
  onClose,
}: {
  enrolment: TotpEnrolment
  onAdded: (factor: EnrolledFactor) => void
  onClose: () => void
}) {
  const form = useActionForm({
    values: { code: '', name: 'Authenticator app' },
    send: (typed) => finishApp({ appId, ...typed }),
    onDone: onAdded,
  })
  return (
    <FormDialog
      form={form}
      title={title}
      description="Scan the code with the app, or type the key. Neither is shown again."
      button="Add app"
      onClose={onClose}
    >
      {/* biome-ignore lint/performance/noImgElement: made for this person, never cached or resized */}
      <img src={picture} alt="QR code" className="size-48 self-center" />
      <div className="flex items-center gap-1">
        <code className="flex-1 font-mono text-mono [overflow-wrap:anywhere]">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <CopyButton text={secret} what="key" />
      </div>
      <FormFields fields={fields} />
    </FormDialog>
  )
}

const title = 'Add an authenticator app'
