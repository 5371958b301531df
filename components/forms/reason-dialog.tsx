'use client'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import type { ActionError } from '@/lib/action'
import { visibleText } from '@/lib/protocol/visible-text'
import { leaveQuestion } from './may-leave'
import { useUnsavedGuard } from './use-unsaved-guard'

type Props = {
  /** Also what the button says. */
  title: string
  description: ReactNode
  /** What to say when there must be a reason and none was given; null = it may be left out. */
  required: string | null
  hint: string
  danger: boolean
  /** The heading over a failure, "The tool was not changed". */
  failed: string
  /** Null = done; the dialog is then closed by whoever opened it. */
  onSubmit: (reason: string) => Promise<ActionError | null>
  onClose: () => void
  /** Warnings, above the field. */
  children?: ReactNode
}

/** Asks why before something is done that concerns others. Closing it asks first when a reason was typed. */
export function ReasonDialog({
  title,
  description,
  required,
  hint,
  danger,
  failed,
  ...rest
}: Props) {
  const formId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const [typed, setTyped] = useState(false)
  useUnsavedGuard(typed)
  const leave = () => {
    if (!typed || window.confirm(leaveQuestion)) rest.onClose()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = field.current?.value.trim() ?? ''
    if (required !== null && reason === '') {
      setError({ code: 'invalid-input', message: required, fields: { reason: required } })
      field.current?.focus()
      return
    }
    setBusy(true)
    setError(await rest.onSubmit(reason))
    setBusy(false)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && leave()}
      title={title}
      description={description}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            type="submit"
            form={formId}
            variant={danger ? 'danger' : 'primary'}
            loading={busy}
          >
            {visibleText(title)}
          </Button>
        </>
      }
    >
      {rest.children}
      {error && !error.fields && <ErrorNotice title={failed}>{error.message}</ErrorNotice>}
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          id={`${formId}-reason`}
          label="Reason"
          optional={required === null}
          hint={hint}
          error={error?.fields && Object.values(error.fields)[0]}
        >
          {(control) => (
            <Textarea
              {...control}
              ref={field}
              rows={3}
              className="max-h-60"
              required={required !== null}
              onChange={(event) => setTyped(event.target.value.trim() !== '')}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
