'use client'
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import type { ActionError } from '@/lib/kernel/action'
import { visibleText } from '@/lib/protocol/visible-text'
import { leaveQuestion } from './may-leave'
import { useUnsavedGuard } from './use-unsaved-guard'

type Props = {
  /** Also what the button says. */
  title: string
  description: ReactNode
  /** The error when the reason is missing; null = the reason is optional. */
  required: string | null
  hint: string
  danger: boolean
  /** The heading over a failure, "The tool was not changed". */
  failed: string
  /** Text that has to be typed to confirm; left out = none. */
  typeToConfirm?: string | null
  /** Resolves with null when it is done; the caller then closes the dialog. `typed`: the text typed to confirm. */
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
  /** Warnings, above the field. */
  children?: ReactNode
}

/** Asks for a reason before an action that affects others. Closing it asks first when a reason was typed. */
export function ReasonDialog({
  title,
  description,
  required,
  hint,
  danger,
  failed,
  typeToConfirm = null,
  ...rest
}: Props) {
  const formId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const confirming = useRef<HTMLInputElement>(null)
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
    const confirmed = confirming.current?.value.trim() ?? ''
    if (typeToConfirm !== null && confirmed.toLowerCase() !== typeToConfirm.toLowerCase()) {
      const message = `Type ${typeToConfirm} to confirm.`
      setError({ code: 'invalid-input', message, fields: { confirm: message } })
      confirming.current?.focus()
      return
    }
    if (required !== null && reason === '') {
      setError({ code: 'invalid-input', message: required, fields: { reason: required } })
      field.current?.focus()
      return
    }
    setBusy(true)
    setError(await rest.onSubmit(reason, confirmed))
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
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {typeToConfirm !== null && (
          <Field
            id={`${formId}-confirm`}
            label={`Type ${visibleText(typeToConfirm)} to confirm`}
            error={error?.fields?.confirm}
          >
            {(control) => (
              <Input
                {...control}
                ref={confirming}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={() => setTyped(true)}
              />
            )}
          </Field>
        )}
        <Field
          id={`${formId}-reason`}
          label="Reason"
          optional={required === null}
          hint={hint}
          error={reasonError(error)}
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

/** Returns the server's error of any field except the confirmation, which shows its own. */
function reasonError(error: ActionError | null): string | undefined {
  const { confirm: _, ...others } = error?.fields ?? {}
  return Object.values(others)[0]
}
