'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import type { ActionError, ActionResult } from '@/lib/next/action'
import type { FieldShape } from '@/lib/shape/field-shape'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { FormDialog } from './form'
import { FormField } from './form-field'
import { type Done, notSaved, sendAction, useDone } from './use-act'
import { useActionForm } from './use-action-form'

type Props = {
  /** Also what the button says. */
  title: string
  description: ReactNode
  /** The error when the reason is missing; null = the reason is optional. */
  required: string | null
  /** Left out = that it is stored in the audit. */
  hint?: string
  danger: boolean
  /** The heading of a failure. */
  failed?: string
  /** Text that has to be typed to confirm; left out = none. */
  typeToConfirm?: string | null
  /** Resolves with null when it is done; the caller then closes the dialog. `typed`: the text typed to confirm. */
  onSubmit: (reason: string, typed: string) => Promise<ActionError | null>
  onClose: () => void
  /** Warnings, above the field. */
  children?: ReactNode
  /** Content that may be long, below the field. */
  below?: ReactNode
}

/** Asks for a reason before an action that affects others. Closing it asks first when a reason was typed. */
export function ReasonDialog({
  title,
  description,
  required,
  hint = reasonField.hint,
  danger,
  failed = notSaved,
  typeToConfirm = null,
  onSubmit,
  onClose,
  children,
  below,
}: Props) {
  const form = useActionForm({
    values: { confirm: '', reason: '' },
    ask: async (typed) => missingIn(typed, { required, typeToConfirm }) ?? false,
    send: async ({ confirm, reason }) => {
      const error = await onSubmit(reason.trim(), confirm.trim())
      return error ? { ok: false, error } : { ok: true, value: null }
    },
    // All other errors of the server are shown at the reason.
    fieldOf: (path) => (path === 'confirm' && typeToConfirm !== null ? path : 'reason'),
  })
  const reason: FieldShape = {
    kind: 'textarea',
    label: reasonField.label,
    hint,
    optional: required === null,
    rows: 3,
  }
  return (
    <FormDialog
      form={form}
      title={title}
      description={description}
      button={title}
      danger={danger}
      failed={failed}
      above={children}
      onClose={onClose}
    >
      {typeToConfirm !== null && (
        <FormField
          name="confirm"
          shape={{ kind: 'text', label: `Type ${visibleText(typeToConfirm)} to confirm` }}
        />
      )}
      <FormField name="reason" shape={reason} controlClass="max-h-60" />
      {below}
    </FormDialog>
  )
}

/** Returns the error of a field that must be typed first; null = nothing is missing. */
function missingIn(
  { confirm, reason }: { confirm: string; reason: string },
  { required, typeToConfirm }: { required: string | null; typeToConfirm: string | null },
): ActionError | null {
  const isConfirmed =
    typeToConfirm === null || confirm.trim().toLowerCase() === typeToConfirm.toLowerCase()
  const fields = {
    ...(!isConfirmed && { confirm: `Type ${typeToConfirm} to confirm.` }),
    ...(required !== null && reason.trim() === '' && { reason: required }),
  }
  const [message] = Object.values(fields)
  return message === undefined ? null : { code: 'invalid-input', message, fields }
}

type ActWithReasonProps = Omit<Done, 'title'> & {
  /** Also what the button says: "Disable Ana". */
  title: string
  /** The consequence for others. */
  children: ReactNode
  failed?: string
  done: string
  /** The error when the reason is missing; left out = the reason is optional. */
  required?: string
  /** False when it takes nothing from others. */
  danger?: boolean
  /** Trial of the change on past runs, below the reason: its list may be long. */
  trial?: ReactNode
  /** The reason is "" when none was given. */
  send: (reason: string) => Promise<ActionResult<unknown>>
  /** Left out = the page is refreshed. */
  onDone?: () => void
  onClose: () => void
}

/** Says what an action does to others, asks for a reason, runs it, and shows a message about the result. */
export function ActWithReason({
  title,
  children,
  failed = notSaved,
  done,
  required,
  danger = true,
  trial,
  send,
  onDone,
  onClose,
  ...news
}: ActWithReasonProps) {
  const router = useRouter()
  const tellDone = useDone()
  const submit = async (reason: string): Promise<ActionError | null> => {
    const result = await sendAction(() => send(reason))
    if (!result.ok) return result.error
    tellDone({ ...news, title: done })
    onClose()
    if (onDone) onDone()
    else router.refresh()
    return null
  }
  return (
    <ReasonDialog
      title={title}
      description={children}
      required={required ?? null}
      danger={danger}
      failed={failed}
      onSubmit={submit}
      onClose={onClose}
      below={trial}
    />
  )
}
