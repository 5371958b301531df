'use client'
import { Form, FormFailure } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { notSaved } from '@/components/forms/use-act'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { markLimits } from '@/lib/protocol/run/run-marks'
import type { FieldShape } from '@/lib/shape/field-shape'
import { formatCount } from '@/lib/words/format'
import { changeMarks } from '../actions'

const shape = {
  kind: 'textarea',
  label: 'Note',
  rows: 3,
  hint: `At most ${formatCount(markLimits.noteCharacters)} characters. Leave empty to remove it.`,
} as const satisfies FieldShape

/** Edits the note of a run in place. */
export function NoteForm({
  runId,
  text,
  onClose,
}: {
  runId: string
  text: string
  onClose: () => void
}) {
  const form = useActionForm({
    values: { note: text },
    send: ({ note }) => changeMarks({ runId, note }),
    done: (_marks, { note }) => (note.trim() === '' ? 'Removed the note' : 'Saved the note'),
    onDone: onClose,
  })
  return (
    <Form form={form} label="Note" className="max-w-[640px]">
      <FormFailure title={notSaved} />
      <FormField name="note" shape={shape} autoFocus controlClass="max-h-80" />
      <div className="flex gap-2">
        <Button type="submit" variant="primary" size="sm" loading={form.busy}>
          Save note
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
