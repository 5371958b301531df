'use client'
import { useEffect, useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormFields } from '@/components/forms/form-field'
import { sendAction, useConfirmed } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import type { EnrolledFactor } from '@/lib/auth/second-factor'
import type { TotpEnrolment } from '@/lib/auth/totp'
import type { FieldShape } from '@/lib/protocol/field-shape'
import { beginApp, finishApp } from './actions'

type Begun = TotpEnrolment | { trouble: string } | null

/** Shows a new secret, as a picture and as text, and asks for the app's first code. */
export function AddAppDialog({
  onAdded,
  onClose,
}: {
  onAdded: (factor: EnrolledFactor) => void
  onClose: () => void
}) {
  const confirmed = useConfirmed()
  const [begun, setBegun] = useState<Begun>(null)
  // Outside system: the server makes the secret. Asked once for each time the dialog is opened.
  useEffect(() => {
    let wanted = true
    void confirmed(() => sendAction(() => beginApp({}))).then((result) => {
      if (wanted) setBegun(result.ok ? result.value : { trouble: result.error.message })
    })
    return () => {
      wanted = false
    }
  }, [confirmed])
  if (begun === null) return null
  if ('trouble' in begun) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
        <ErrorNotice title="The app was not added">{begun.trouble}</ErrorNotice>
      </Dialog>
    )
  }
  return <FirstCode enrolment={begun} onAdded={onAdded} onClose={onClose} />
}

const fields: Record<string, FieldShape> = {
  code: {
    kind: 'text',
    label: 'Code',
    hint: 'The 6 digits that the app shows now.',
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
  const confirmed = useConfirmed()
  const form = useActionForm({
    values: { code: '', name: 'Authenticator app' },
    send: (typed) => confirmed(() => finishApp({ appId, ...typed })),
    onDone: onAdded,
  })
  return (
    <FormDialog
      form={form}
      title={title}
      description="Scan the QR code with an authenticator app on your phone, or type the key into it. Neither is shown again."
      button="Add app"
      failed="The app was not added"
      onClose={onClose}
    >
      {/* biome-ignore lint/performance/noImgElement: made for this person, never cached or resized */}
      <img src={picture} alt="QR code of the key below" className="size-48 self-center" />
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
