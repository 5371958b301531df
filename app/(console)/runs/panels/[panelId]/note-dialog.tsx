'use client'
import { chooseAnswer } from '@/app/(console)/runs/actions'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import type { FieldShape } from '@/lib/shape/field-shape'

const shape = {
  kind: 'textarea',
  label: 'Note',
  rows: 4,
  hint: 'Leave empty to remove it.',
} as const satisfies FieldShape

/** Edits why an answer was chosen. */
export function NoteDialog({
  panelId,
  runId,
  note,
  onClose,
}: {
  panelId: string
  runId: string
  note: string
  onClose: () => void
}) {
  const form = useActionForm({
    values: { note },
    send: ({ note: typed }) => chooseAnswer({ panelId, runId, note: typed }),
    done: 'Saved the note',
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title="Note on the chosen answer" button="Save note" onClose={onClose}>
      <FormField name="note" shape={shape} autoFocus />
    </FormDialog>
  )
}
