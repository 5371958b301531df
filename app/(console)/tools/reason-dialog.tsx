'use client'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose } from '@/components/ui/dialog'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import type { ActionError } from '@/lib/action'
import type { ToolListing } from '@/lib/toolset/tool-listing'

/** Asks why a tool is switched; required, with a warning, where that shows raw data. */
export function ReasonDialog({
  tool,
  onSubmit,
  onClose,
}: {
  tool: ToolListing
  onSubmit: (reason: string) => Promise<ActionError | null>
  onClose: () => void
}) {
  const formId = useId()
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  const [error, setError] = useState<ActionError | null>(null)
  const [busy, setBusy] = useState(false)
  const enabling = !tool.enabled
  const required = tool.raw && enabling
  const title = `Switch ${enabling ? 'on' : 'off'} ${tool.name}`

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const reason = fieldRef.current?.value.trim() ?? ''
    if (required && !reason) {
      setError(reasonMissing)
      fieldRef.current?.focus()
      return
    }
    setBusy(true)
    setError(await onSubmit(reason))
    setBusy(false)
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={enabling ? effectOfOn : effectOfOff}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            type="submit"
            form={formId}
            variant={required ? 'danger' : 'primary'}
            loading={busy}
          >
            {title}
          </Button>
        </>
      }
    >
      {required && <RawWarning tool={tool} />}
      {error && !error.fields && (
        <ErrorNotice title="The tool was not changed">{error.message}</ErrorNotice>
      )}
      <form id={formId} onSubmit={submit} noValidate>
        <ReasonField
          id={`${formId}-reason`}
          required={required}
          error={error?.fields && Object.values(error.fields)[0]}
          ref={fieldRef}
        />
      </form>
    </Dialog>
  )
}

const effectOfOn = 'Every run on this site may be offered it from its next request on.'
const effectOfOff = 'No call of it starts after this, in any run; calls under way are stopped.'

const reasonMissing: ActionError = {
  code: 'invalid-input',
  message: '',
  fields: { reason: 'Say why it is needed.' },
}

function ReasonField({
  id,
  required,
  error,
  ref,
}: {
  id: string
  required: boolean
  error: string | undefined
  ref: RefObject<HTMLTextAreaElement | null>
}) {
  return (
    <Field
      id={id}
      label="Reason"
      optional={!required}
      hint="Kept with the switch and in the audit log."
      error={error}
    >
      {(control) => (
        <Textarea {...control} ref={ref} rows={3} maxLength={500} required={required} />
      )}
    </Field>
  )
}

function RawWarning({ tool }: { tool: ToolListing }) {
  return (
    <div className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium text-warning">
          It shows what <code className="font-mono">{tool.name.replace(/_raw$/, '')}</code> hides
        </p>
        <p>{tool.description}</p>
        <p>
          What it returns goes to the model’s provider as it is, and stays readable in the run’s
          journal. Switch it off again when you are done.
        </p>
      </div>
    </div>
  )
}
